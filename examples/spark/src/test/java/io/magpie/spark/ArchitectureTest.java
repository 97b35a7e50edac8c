package io.magpie.spark;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.magpie.algorithms.internal.OrderedBits;

/** What this module may use of the others. */
@AnalyzeClasses(packages = "io.magpie.spark", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /**
   * Weights travel as whole numbers of the same order, and programs need none: so their bits are
   * shared within the build, and are not public.
   */
  @ArchTest
  static final ArchRule ofInternalsOnlyTheBitsOfWeightsAreUsed =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.magpie..internal..").and(not(belongToAnyOf(OrderedBits.class))));
}
