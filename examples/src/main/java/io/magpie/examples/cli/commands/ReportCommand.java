package io.magpie.examples.cli.commands;

import io.magpie.examples.cli.options.Outputs;
import io.magpie.examples.cli.options.PathOption;
import io.magpie.examples.cli.output.BuildInfo;
import io.magpie.examples.cli.output.OutputFile;
import io.magpie.examples.report.Picture;
import io.magpie.examples.report.Records;
import io.magpie.examples.report.ReportPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a report from records. */
@Command(
    name = "report",
    description = {
      "Create an HTML report from the records that compare and the commands of algorithms write"
          + " with --json.",
      "The report is a single HTML file without scripts or external resources."
    })
final class ReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Records: JSON documents, one after another; - is standard input.")
  private List<Path> files;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE.html",
      description = "The report to write.")
  private Path out;

  @Option(
      names = "--picture",
      paramLabel = "FILE.png",
      description =
          "Show this PNG image at the end of the page, with its file name as the caption;"
              + " may be repeated, up to 64 MiB in all.")
  private List<Path> pictures = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (!out.toString().toLowerCase(Locale.ROOT).matches(".*\\.html?")) {
      throw new ParameterException(
          spec.commandLine(), "--out " + out + ": expected a name that ends in .html");
    }
    requireDistinct();
    List<Path> read = files.stream().map(PathOption::input).toList();
    OutputFile file =
        new Outputs(spec, Stream.concat(read.stream(), pictures.stream()).toList())
            .at("--out", out);
    Records records = Records.read(read);
    ReportPage page =
        ReportPage.of(
            records,
            Picture.read(pictures),
            "Magpie " + BuildInfo.version() + ", revision " + BuildInfo.revision());
    file.write(page::writeTo);
    spec.commandLine().getOut().println(out + ": " + page.summary());
    return ExitCode.OK;
  }

  /** Refuses records that would count twice. */
  private void requireDistinct() {
    Set<Path> read = new HashSet<>();
    for (Path each : files) {
      if (!read.add(place(each))) {
        throw new ParameterException(
            spec.commandLine(), each + " is given twice: its runs would count twice");
      }
    }
  }

  private static Path place(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) { // absent yet, or the standard input
      return path.toAbsolutePath().normalize();
    }
  }
}
