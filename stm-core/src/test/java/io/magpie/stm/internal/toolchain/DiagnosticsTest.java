package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiagnosticsTest {
  private static final String OWN = "own/";

  private static List<String> errors(String text) {
    return Diagnostics.of(text, OWN, "error");
  }

  @Test
  void anErrorInAHeaderIsInTheLineThatNeedsIt() {
    assertEquals(
        List.of("own/a.cu:12: tx.read takes another variable"),
        errors(
            """
            lib/transaction.cuh: In instantiation of 'bool tx<P>::read(H) [with P = x]':
            own/a.cu:12:17:   required from 'outcome inc::operator()(Tx&) const [with Tx = x]'
            lib/region.cuh:338:17:   required from 'outcome region_kernel<R>::attempt()'
            own/a.cu:19:1:   required from here
            lib/transaction.cuh:206:58: error: static assertion failed: tx.read takes another variable
            lib/transaction.cuh:206:58: note: '(!(bool)x)' evaluates to false
            lib/transaction.cuh:207:5: error: more of the same
            """));
  }

  @Test
  void anErrorInAMacroIsInTheLineThatUsesIt() {
    assertEquals(
        List.of("own/a.cu:16: region inc: const is missing"),
        errors(
            """
            lib/region.cuh:681:50: error: static assertion failed: region inc: const is missing
              681 |   static_assert(x)
            lib/region.cuh:657:3: note: in expansion of macro 'MAGPIE_REGION_CHECK'
            own/a.cu:16:1: note: in expansion of macro 'MAGPIE_REGION'
            """));
  }

  @Test
  void ofNvccTheInstantiationsComeBehind() {
    assertEquals(
        List.of(
            "own/a.cu:15: identifier \"x\" is undefined",
            "own/a.cu:12: tx.read takes another variable",
            "inc::operator() runs on the device: write MAGPIE_DEVICE before it"),
        errors(
            """
            own/a.cu(15): error: identifier "x" is undefined
                  x(3);
            lib/transaction.cuh(206): error: static assertion failed with "tx.read takes another variable"
                      detected during:
                        instantiation of "bool tx::read(const H &) [with H=y]" at line 12 of own/a.cu
                        instantiation of "void f()" at line 338 of lib/region.cuh
            lib/region.cuh(338): error: calling a __host__ function("magpie::magpie_cuda::stm::outcome inc::operator ()< ::magpie::magpie_cuda::stm::transaction<(unsigned int)2u> > (T1 &, unsigned int) const") from a __device__ function("x") is not allowed
            """));
  }

  /** What g++ says of a template before its instantiation comes first. */
  @Test
  void theReasonIsKeptOfWhatIsSaidOfALine() {
    assertEquals(
        List.of("own/a.cu:12: MAGPIE_TRY returns outcome::retry", "own/a.cu:14: cannot convert"),
        errors(
            """
            lib/guarded.cuh:328:64: error: cannot convert 'outcome' to 'bool' in return
            own/a.cu:12:22: note: in expansion of macro 'MAGPIE_TRY'
            lib/guarded.cuh:328:64: error: cannot convert
            own/a.cu:14:22: note: in expansion of macro 'MAGPIE_TRY'
            own/a.cu: In instantiation of 'bool f(Tx&) [with Tx = x]':
            own/a.cu:17:8:   required from 'outcome inc::operator()(Tx&) const [with Tx = x]'
            own/a.cu:20:1:   required from here
            lib/guarded.cuh:321:52: error: static assertion failed: MAGPIE_TRY returns outcome::retry
            own/a.cu:12:22: note: in expansion of macro 'MAGPIE_TRY'
            """));
  }

  @Test
  void templatesAndNamespacesAreLeftOut() {
    assertEquals(
        List.of(
            "own/a.cu:14: no matching function for call to 'transaction::write(const handle&)'"),
        errors(
            "own/a.cu:14:13: error: no matching function for call to"
                + " 'magpie::magpie_sim::stm::transaction<magpie::magpie_sim::stm::hand_off,"
                + " fixed_log<2, 2> >::write(const magpie::magpie_sim::stm::handle&)'"));
  }

  @Test
  void anIgnoredResultSaysWhatToDo() {
    String text =
        """
        own/a.cu:11:12: warning: ignoring return value of 'bool magpie::stm::transaction<P>::read(magpie::stm::handle, const T*) [with T = unsigned int]', declared with attribute 'nodiscard' [-Wunused-result]
        lib/b.cuh:3:1: warning: something else
        own/a.cu(12): warning #2809-D: ignoring return value from routine declared with "nodiscard" attribute
        """;
    assertEquals(
        List.of(
            "own/a.cu:11: the result of tx.read is ignored: if it fails, the attempt has failed, so"
                + " return outcome::retry",
            "own/a.cu:12: the result is ignored; if a call of tx fails, the attempt has"
                + " failed, so return outcome::retry"),
        Diagnostics.of(text, OWN, "warning"));
    assertEquals(List.of(), errors(text));
  }

  /** Whose first line requires an instantiation in which a warning is given. */
  private static final String WARNING =
      """
      own/a.cu:12:17:   required from 'outcome inc::operator()(Tx&) const [with Tx = x]'
      lib/b.cuh:3:1: warning: something
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "In file included from own/a.cu:1:",
        "own/a.cu: At global scope:",
        "own/a.cu: In static member function 'static void a::f()':",
        "own/a.cu: In lambda function:",
        "own/a.cu: In constructor 'a::a()':"
      })
  void whatRequiredOneMessageIsNotThePlaceOfAnother(String context) {
    String error = "lib/b.cuh:7:2: error: #error not here";
    assertEquals(List.of(), errors(WARNING + context + "\n" + error));
    assertEquals(
        List.of(error), Diagnostics.errors(WARNING + context + "\n" + error, OWN), "nor lost");
  }

  @Test
  void noErrorIsLost() {
    assertEquals(
        List.of(
            "own/a.cu:12: 'x' was not declared in this scope",
            "own/a.cu:12: 'y' was not declared in this scope",
            "own/a.cu:20: takes another",
            "lib/b.cuh:7:2: error: #error not here",
            "/usr/bin/ld: a.o: undefined reference to `gone'",
            "collect2: error: ld: returned 1 exit status"),
        Diagnostics.errors(
            """
            lib/b.cuh:7:2: error: #error not here
            own/a.cu:12:3: error: 'x' was not declared in this scope
            own/a.cu:12:5: error: 'y' was not declared in this scope
            lib/l.cuh(3): error: static assertion failed with "takes another"
                      detected during instantiation of "__nv_bool tx<T>::read(H) [with T=int]" at line 20 of own/a.cu
            /usr/bin/ld: a.o: undefined reference to `gone'
            collect2: error: ld: returned 1 exit status
            """,
            OWN));
  }

  @Test
  void adviceIsOnlyForWhatIsTheUsers() {
    assertEquals(
        List.of("own/a.cu:9: helper runs on the device: write MAGPIE_DEVICE before it"),
        errors(
            """
            own/a.cu(9): error: calling a __host__ function("helper(int)") from a __device__ function("x") is not allowed
            lib/b.cuh(3): error: calling a __host__ function("std::vector<int> ::push_back(const int &)") from a __device__ function("y") is not allowed
            """));
    assertEquals(
        List.of("own/a.cu:3: ignoring return value of 'bool cache::get(int)'"),
        Diagnostics.of(
            "own/a.cu:3:1: warning: ignoring return value of 'bool cache::get(int)'",
            OWN,
            "warning"));
  }

  @Test
  void anOperatorIsNoBracket() {
    assertEquals(
        List.of("own/a.cu:3: no match for 'operator<' (operand types are 'a' and 'b')"),
        errors("own/a.cu:3:1: error: no match for 'operator<' (operand types are 'a' and 'b')"));
  }
}
