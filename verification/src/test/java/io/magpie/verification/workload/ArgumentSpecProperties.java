package io.magpie.verification.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ArgumentSpecProperties {
  /** A number with blanks around it. */
  record Padded(String before, String number, String after) {}

  @Provide
  Arbitrary<List<Padded>> elements() {
    Arbitrary<String> blanks = Arbitraries.strings().withChars(" \t").ofMaxLength(2);
    Arbitrary<String> numbers =
        Arbitraries.oneOf(
            Arbitraries.bigIntegers()
                .between(BigInteger.ONE.shiftLeft(63).negate(), BigInteger.ONE.shiftLeft(64))
                .map(BigInteger::toString),
            Arbitraries.doubles().map(number -> Double.toString(number)));
    return Combinators.combine(blanks, numbers, blanks).as(Padded::new).list().ofMaxSize(20);
  }

  @Property
  void listsAreWhatWasWritten(@ForAll("elements") List<Padded> elements) {
    String text =
        elements.stream()
            .map(each -> each.before() + each.number() + each.after())
            .collect(Collectors.joining(",", "[", "]"));
    ArgumentSpec spec = ArgumentSpec.parse(text);
    assertEquals(text, spec.toString());
    assertEquals(NumberList.of(elements.stream().map(Padded::number).toList()), spec.numbers());
    assertEquals(elements.size(), spec.length());
    assertEquals(spec, ArgumentSpec.parse(spec.toString()));
  }

  @Provide
  Arbitrary<String> pieces() {
    return Arbitraries.of(
            "objects", "zeros", "fill", "iota", "random", "pool", "null", ":", ":", "[", "]", ",",
            "7", "0", "1", "-2", "0.5", "1e3", "e", " ", "x", "\0", "\ud800")
        .list()
        .ofMaxSize(7)
        .map(parts -> String.join("", parts));
  }

  /** Whatever is read prints so that it is read again; whatever is not is told in a sentence. */
  @Property
  void whatIsReadIsReadAgain(@ForAll("pieces") String text) {
    ArgumentSpec spec;
    try {
      spec = ArgumentSpec.parse(text);
    } catch (IllegalArgumentException e) {
      assertFalse(e instanceof NumberFormatException, e::toString);
      return;
    }
    assertEquals(spec, ArgumentSpec.parse(spec.toString()));
  }
}
