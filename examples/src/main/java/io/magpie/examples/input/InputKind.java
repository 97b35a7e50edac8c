package io.magpie.examples.input;

/**
 * A kind of input: what {@code --input KIND:SPEC} names, and the option {@code --KIND SPEC} of
 * every command that takes inputs of its type. To register one, implement this with a public
 * constructor without parameters, and name the class in {@code
 * META-INF/services/io.magpie.examples.input.InputKind}.
 */
public interface InputKind {
  /**
   * Its name: words of lower-case letters and digits, joined by {@code -}; each begins with a
   * letter where it is the first. It may not be that of another kind, nor of an option of a command
   * that takes the type, such as {@code seed} or {@code help}.
   */
  String name();

  /** The type of its inputs, by which commands tell whether they can use it. */
  Class<? extends Input> type();

  /** What its specification is called in help, such as {@code FILE}. */
  String label();

  /** What it reads or generates, in a sentence for help. */
  String description();

  /**
   * The input that a specification names, which is of the {@link #type()}. Reads nothing.
   *
   * @throws IllegalArgumentException if the specification is malformed; the message is for users
   */
  Input parse(String spec);
}
