package io.magpie.examples.input;

import io.magpie.algorithms.sat.Formula;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A formula's identity in result files: SHA-256 over its numbers of variables and clauses, and for
 * each clause its length and its literals as DIMACS writes them, all of 4 bytes, little-endian, so
 * that equal formulas have equal hashes wherever they come from.
 */
public final class FormulaHash {
  private FormulaHash() {}

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(Formula formula) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    add(digest, formula.variables(), formula.clauses());
    for (int a = 0; a < formula.clauses(); a++) {
      int[] clause = formula.clause(a);
      add(digest, clause.length);
      add(digest, clause);
    }
    return "sha256:" + HexFormat.of().formatHex(digest.digest());
  }

  private static void add(MessageDigest digest, int... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Integer.BYTES * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    digest.update(bytes.array());
  }
}
