package io.magpie.examples;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.magpie.algorithms.internal.PixelCanvas;
import io.magpie.algorithms.internal.PixelImage;
import io.magpie.algorithms.internal.PointDrawing;
import io.magpie.stm.CodeStorageException;
import io.magpie.stm.CompilationException;
import io.magpie.stm.Device;
import io.magpie.stm.DeviceDescription;
import io.magpie.stm.DeviceUnavailableException;
import io.magpie.stm.FieldKind;
import io.magpie.stm.KernelFaultException;
import io.magpie.stm.MagpieException;
import io.magpie.stm.ModuleNotFoundException;
import io.magpie.stm.Region;
import io.magpie.stm.RegionReport;
import io.magpie.stm.RunRecorder;
import io.magpie.stm.UnfinishedItemsException;
import io.magpie.stm.internal.Backend;
import io.magpie.stm.internal.Closing;
import io.magpie.stm.internal.DeviceAccess;
import io.magpie.stm.internal.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The module map: who may use whom, and what is public. */
@AnalyzeClasses(packages = "io.magpie", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String FACADE = "io.magpie.stm..";
  private static final String FACADE_MAIN = "io.magpie.stm";
  private static final String PARALLEL = "io.magpie.stm.parallel";
  private static final String SIMULATOR = "io.magpie.stm.simulator";
  private static final String FACADE_INTERNALS = "io.magpie.stm.internal..";
  private static final String CUDA = "io.magpie.stm.internal.cuda..";

  /**
   * What the internals of the facade may know of it: what it says of devices, and what it throws.
   */
  private static final DescribedPredicate<JavaClass> VOCABULARY =
      belongToAnyOf(
              DeviceDescription.class,
              FieldKind.class,
              MagpieException.class,
              CodeStorageException.class,
              CompilationException.class,
              DeviceUnavailableException.class,
              KernelFaultException.class,
              ModuleNotFoundException.class)
          .or(resideInAPackage(SIMULATOR))
          .<JavaClass>onResultOf(JavaClass::getBaseComponentType)
          .as("are the vocabulary of the facade");

  private static final String ALGORITHMS = "io.magpie.algorithms..";
  private static final String VERIFICATION = "io.magpie.verification..";
  private static final String HISTORIES = "io.magpie.verification.history..";
  private static final String CHECKERS = "io.magpie.verification.check..";
  private static final String EXAMPLES = "io.magpie.examples..";
  private static final String COMMAND_LINE = "io.magpie.examples.cli..";
  private static final String START = "io.magpie.examples.cli";
  private static final String COMMANDS = "io.magpie.examples.cli.commands";
  private static final String CLI_OPTIONS = "io.magpie.examples.cli.options";
  private static final String REPORTS = "io.magpie.examples.report";
  private static final String SHARED = "io.magpie.algorithms.internal";
  private static final String JTS_ADAPTER = "io.magpie.algorithms.jts";
  private static final String MESHES = "io.magpie.algorithms.mesh..";
  private static final String MESH = "io.magpie.algorithms.mesh";
  private static final String MESH_INTERNALS = "io.magpie.algorithms.mesh.internal";
  private static final String MESH_FILES = "io.magpie.algorithms.mesh.io";
  private static final String MESH_REFINEMENT = "io.magpie.algorithms.mesh.refine";
  private static final String MESH_VERIFICATION = "io.magpie.algorithms.mesh.verify";
  private static final String FIRST_PARTITIONS = "io.magpie.algorithms.partition.internal.initial";
  private static final String FLOWS = "io.magpie.algorithms.partition.internal.flow";

  @ArchTest
  static final ArchRule theFacadeStandsAlone =
      noClasses()
          .that()
          .resideInAPackage(FACADE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ALGORITHMS, VERIFICATION, EXAMPLES);

  @ArchTest
  static final ArchRule internalsOfTheFacadeKnowOnlyItsVocabulary =
      noClasses()
          .that()
          .resideInAPackage(FACADE_INTERNALS)
          .should()
          .dependOnClassesThat(
              resideInAPackage(FACADE)
                  .and(not(resideInAPackage(FACADE_INTERNALS)))
                  .and(not(VOCABULARY)));

  @ArchTest
  static final ArchRule theVocabularyOfTheFacadeStandsAlone =
      classes()
          .that(VOCABULARY)
          .should()
          .onlyDependOnClassesThat(resideInAPackage("java..").or(VOCABULARY));

  @ArchTest
  static final ArchRule theFacadeDoesNotKnowWhatIsBuiltOnIt =
      noClasses()
          .that(resideInAPackage(FACADE).and(not(resideInAPackage(PARALLEL))))
          .should()
          .dependOnClassesThat()
          .resideInAPackage(PARALLEL);

  /** Of the back-ends these are CUB's functions; devices and arrays open up in one place. */
  @ArchTest
  static final ArchRule whatIsBuiltOnTheFacadeUsesFewInternals =
      noClasses()
          .that()
          .resideInAPackage(PARALLEL)
          .should()
          .dependOnClassesThat(
              resideInAPackage(FACADE_INTERNALS)
                  .and(
                      not(
                          belongToAnyOf(
                              Backend.HostFunctions.class,
                              Closing.class,
                              DeviceAccess.class,
                              ElementType.class))));

  @ArchTest
  static final ArchRule onlyWhatIsBuiltOnTheFacadeOpensDevices =
      classes()
          .that()
          .belongToAnyOf(DeviceAccess.class)
          .should()
          .onlyHaveDependentClassesThat()
          .resideInAnyPackage(FACADE_MAIN, PARALLEL);

  @ArchTest
  static final ArchRule packagesOfTheFacadeHaveNoCycles =
      slices().assignedFrom(packagesOfTheFacade()).should().beFreeOfCycles();

  /**
   * A device makes arrays, modules and the like, and each of them knows the device that it is on; a
   * report throws an exception that holds it; a recorder is told of regions, whose runs know it;
   * parts of the CUDA back-end know the whole. But for these no two classes of the facade need each
   * other.
   */
  @ArchTest
  static final ArchRule classesOfTheFacadeHaveNoCycles =
      slices()
          .assignedFrom(classesOfTheFacade())
          .should()
          .beFreeOfCycles()
          .ignoreDependency(alwaysTrue(), belongToAnyOf(Device.class))
          .ignoreDependency(UnfinishedItemsException.class, RegionReport.class)
          .ignoreDependency(RunRecorder.UpcomingRun.class, Region.class);

  @ArchTest
  static final ArchRule algorithmsUseOnlyTheFacade =
      noClasses()
          .that()
          .resideInAPackage(ALGORITHMS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(VERIFICATION, EXAMPLES);

  @ArchTest
  static final ArchRule verificationUsesOnlyTheFacade =
      noClasses()
          .that()
          .resideInAPackage(VERIFICATION)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(ALGORITHMS, EXAMPLES)
          .allowEmptyShould(true);

  /** What judges a history shares no code with what made it. */
  @ArchTest
  static final ArchRule checkersStandAlone =
      classes()
          .that()
          .resideInAnyPackage(HISTORIES, CHECKERS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", HISTORIES, CHECKERS);

  @ArchTest
  static final ArchRule historiesDoNotKnowTheirCheckers =
      noClasses()
          .that()
          .resideInAPackage(HISTORIES)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(CHECKERS);

  @ArchTest
  static final ArchRule internalPackagesAreInternalToTheirModule =
      noClasses()
          .that()
          .resideInAnyPackage(ALGORITHMS, VERIFICATION, EXAMPLES)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(FACADE_INTERNALS);

  @ArchTest
  static final ArchRule internalsOfAlgorithmsAreInternalToThem =
      noClasses()
          .that()
          .resideOutsideOfPackages(ALGORITHMS, COMMANDS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.magpie.algorithms..internal..");

  /** What they draw of a run that was verified is drawn and written as other pictures are. */
  @ArchTest
  static final ArchRule ofTheseCommandsUseTheCanvasAlone =
      noClasses()
          .that()
          .resideInAPackage(COMMANDS)
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.magpie.algorithms..internal..")
                  .and(
                      not(belongToAnyOf(PixelCanvas.class, PixelImage.class, PointDrawing.class))));

  @ArchTest
  static final ArchRule onlyTheCudaBackEndKnowsJcuda =
      noClasses()
          .that()
          .resideOutsideOfPackage(CUDA)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jcuda..");

  @ArchTest
  static final ArchRule onlyInternalsCallNativeCode =
      noClasses()
          .that()
          .resideOutsideOfPackage(FACADE_INTERNALS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.sun.jna..");

  @ArchTest
  static final ArchRule graphsKnowNothingOfDevices =
      noClasses()
          .that()
          .resideInAPackage("io.magpie.algorithms.graph..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(FACADE, "jcuda..", "com.sun.jna..");

  /** What checks a mesh shares no code with what refined it. */
  @ArchTest
  static final ArchRule meshVerificationKnowsOnlyTheModel =
      classes()
          .that()
          .resideInAPackage(MESH_VERIFICATION)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", SHARED, MESH, MESH_INTERNALS, MESH_VERIFICATION);

  @ArchTest
  static final ArchRule meshesDoNotKnowWhatIsDoneWithThem =
      noClasses()
          .that()
          .resideInAnyPackage(MESH, MESH_INTERNALS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MESH_FILES, MESH_REFINEMENT, MESH_VERIFICATION);

  @ArchTest
  static final ArchRule meshRefinementKnowsNeitherItsVerificationNorFiles =
      noClasses()
          .that()
          .resideInAPackage(MESH_REFINEMENT)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MESH_VERIFICATION, MESH_FILES);

  @ArchTest
  static final ArchRule meshFilesDoNotKnowWhatIsDoneWithThem =
      noClasses()
          .that()
          .resideInAPackage(MESH_FILES)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MESH_REFINEMENT, MESH_VERIFICATION);

  /** Programs need no JTS but for its package. */
  @ArchTest
  static final ArchRule onlyOnePackageKnowsJts =
      noClasses()
          .that()
          .resideInAPackage("io.magpie..")
          .and()
          .resideOutsideOfPackage(JTS_ADAPTER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.locationtech.jts..");

  @ArchTest
  static final ArchRule jtsMeetsTheModelAlone =
      noClasses()
          .that()
          .resideInAPackage(JTS_ADAPTER)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(MESH_FILES, MESH_REFINEMENT, MESH_VERIFICATION, FACADE);

  @ArchTest
  static final ArchRule onlyMeshRefinementKnowsDevices =
      noClasses()
          .that()
          .resideInAnyPackage(MESH, MESH_INTERNALS, MESH_FILES, MESH_VERIFICATION)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(FACADE);

  /** The adapter of JTS decides by the same exact signs. */
  @ArchTest
  static final ArchRule internalsOfMeshesAreInternalToThem =
      noClasses()
          .that()
          .resideOutsideOfPackages(MESHES, JTS_ADAPTER)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(MESH_INTERNALS);

  @ArchTest
  static final ArchRule firstPartitionsKnowNothingOfDevices =
      classes()
          .that()
          .resideInAPackage(FIRST_PARTITIONS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", SHARED, FIRST_PARTITIONS);

  @ArchTest
  static final ArchRule flowsKnowNothingOfDevices =
      classes()
          .that()
          .resideInAPackage(FLOWS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", SHARED, FLOWS);

  /** A page is made of what records say: it could be made anywhere, of runs of any revision. */
  @ArchTest
  static final ArchRule reportsKnowOnlyRecords =
      classes()
          .that()
          .resideInAPackage(REPORTS)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "com.fasterxml.jackson..",
              "io.magpie.algorithms",
              "io.magpie.examples.compare",
              "io.magpie.examples.input",
              REPORTS);

  @ArchTest
  static final ArchRule packagesOfAlgorithmsHaveNoCycles =
      slices().assignedFrom(packagesOf(ALGORITHMS)).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesOfVerificationHaveNoCycles =
      slices().assignedFrom(packagesOf(VERIFICATION)).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule packagesOfExamplesHaveNoCycles =
      slices().assignedFrom(packagesOf(EXAMPLES)).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingKnowsTheCommandLine =
      noClasses()
          .that()
          .resideOutsideOfPackage(COMMAND_LINE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(COMMAND_LINE);

  /** Commands end with an exception or none; what status that is, {@code ExitStatus} alone says. */
  @ArchTest
  static final ArchRule commandsDoNotKnowWhereTheyAreStarted =
      noClasses()
          .that()
          .resideInAPackage(COMMANDS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(START);

  @ArchTest
  static final ArchRule optionsDoNotKnowTheirCommands =
      noClasses()
          .that()
          .resideInAPackage(CLI_OPTIONS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(START, COMMANDS);

  @ArchTest
  static final ArchRule outputKnowsNeitherCommandsNorOptions =
      noClasses()
          .that()
          .resideInAPackage("io.magpie.examples.cli.output")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(START, COMMANDS, CLI_OPTIONS);

  @ArchTest
  static final ArchRule theToolchainDoesNotKnowTheBackEnds =
      noClasses()
          .that()
          .resideInAPackage("io.magpie.stm.internal.toolchain..")
          .should()
          .dependOnClassesThat(
              resideInAPackage(FACADE_INTERNALS)
                  .and(not(resideInAPackage("io.magpie.stm.internal.toolchain.."))));

  @ArchTest
  static final ArchRule publicMethodsShowNoInternalTypes =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("..internal..")
          .should(showNoInternalType());

  @ArchTest
  static final ArchRule namesSayWhatThingsAre =
      classes().should().haveNameNotMatching(".*(Impl|Util|Utils|Helper|Manager)$");

  private static SliceAssignment packagesOf(String module) {
    return sliced("packages of " + module, resideInAPackage(module), JavaClass::getPackageName);
  }

  /** Its packages; the vocabulary, below its internals as the rest is above them, is one more. */
  private static SliceAssignment packagesOfTheFacade() {
    return sliced(
        "packages of the facade",
        resideInAPackage(FACADE),
        type -> VOCABULARY.test(type) ? "vocabulary" : type.getPackageName());
  }

  /** Its classes, each with those that are nested in it, without those of the CUDA back-end. */
  private static SliceAssignment classesOfTheFacade() {
    return sliced(
        "classes of the facade",
        resideInAPackage(FACADE).and(not(resideInAPackage(CUDA))),
        type -> type.getName().replaceFirst("\\$.*", ""));
  }

  private static SliceAssignment sliced(
      String description, DescribedPredicate<JavaClass> of, Function<JavaClass, String> slice) {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass type) {
        return of.test(type) ? SliceIdentifier.of(slice.apply(type)) : SliceIdentifier.ignore();
      }

      @Override
      public String getDescription() {
        return description;
      }
    };
  }

  private static ArchCondition<JavaMethod> showNoInternalType() {
    return new ArchCondition<>("have no internal type in their signature") {
      @Override
      public void check(JavaMethod method, ConditionEvents events) {
        if (!method.getOwner().getModifiers().contains(JavaModifier.PUBLIC)) {
          return;
        }
        List<JavaClass> types = new ArrayList<>(method.getRawParameterTypes());
        types.add(method.getRawReturnType());
        for (JavaClass type : types) {
          if (type.getPackageName().contains(".internal")) {
            events.add(
                SimpleConditionEvent.violated(
                    method, method.getFullName() + " shows " + type.getName()));
          }
        }
      }
    };
  }
}
