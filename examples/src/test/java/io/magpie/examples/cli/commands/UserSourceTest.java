package io.magpie.examples.cli.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.magpie.examples.cli.ExitStatus;
import io.magpie.stm.CompilationException;
import java.util.List;
import org.junit.jupiter.api.Test;

class UserSourceTest {
  @Test
  void errorsInASourceAreBadInputAndTheLackOfACompilerIsNot() {
    assertEquals(ExitStatus.BAD_INPUT, status(List.of("a.cu:1: no")));
    assertEquals(ExitStatus.DEVICE_UNAVAILABLE, status(List.of()));
  }

  private static ExitStatus status(List<String> errors) {
    return ExitStatus.of(UserSource.rejected(new CompilationException("", "g++", errors, "")));
  }
}
