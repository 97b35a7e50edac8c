package io.magpie.algorithms.pointsto;

import io.magpie.algorithms.FileFormatException;
import io.magpie.algorithms.internal.ByteSource;
import io.magpie.algorithms.internal.Tokenizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits LLVM's textual IR into tokens. The current one is in {@link #kind}, {@link #text}, {@link
 * #line} and {@link #first}; {@link #next} moves on. Comments and blanks are left out.
 */
final class LlvmLexer {
  /** What a token is. */
  enum Kind {
    /** A keyword, a type's name or a number; the text is all of it. */
    WORD,
    /** {@code %name}: a register, a block or a type; the text is the name. */
    LOCAL,
    /** {@code @name}; the text is the name. */
    GLOBAL,
    /** {@code "text"} or {@code c"text"}; the text is what is between the quotes. */
    STRING,
    /** {@code name:}; the text is the name. */
    LABEL,
    /** {@code !name}, or the exclamation mark before something else. */
    METADATA,
    /** {@code #name}: a group of attributes, or a record for debuggers; the text is the name. */
    ATTRIBUTES,
    /** {@code $name}. */
    COMDAT,
    /** One character; the text is that. */
    PUNCTUATION,
    /** The end of the file. */
    END
  }

  private static final String PUNCTUATION = "()[]{}<>,=*:|^";
  private static final String[] SINGLE = new String[128];

  static {
    for (char c = 0; c < SINGLE.length; c++) {
      SINGLE[c] = String.valueOf(c);
    }
  }

  private final ByteSource source;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;

  /** Characters of the current token. */
  private byte[] token = new byte[256];

  private int length;

  /** Texts seen before, by their hash, so that most tokens make no string. */
  private final String[] seen = new String[1 << 12];

  private long place = 1;
  private boolean lineBegins = true;

  Kind kind;
  String text;

  /** The line of the current token, from 1. */
  long line;

  /** Whether the current token is the first of its line. */
  boolean first;

  /** The first token is the current one. */
  LlvmLexer(ByteSource source) throws IOException {
    this.source = source;
    next();
  }

  /** The next byte, not taken, or -1 at the end of the file. */
  private int peek() throws IOException {
    if (position == limit) {
      int read = source.read(buffer, 0, buffer.length);
      if (read < 0) {
        return -1;
      }
      position = 0;
      limit = read;
    }
    return buffer[position] & 0xff;
  }

  private void keep() {
    if (length == token.length) {
      token = Arrays.copyOf(token, 2 * length);
    }
    token[length++] = buffer[position++];
  }

  /** Moves to the next token. */
  void next() throws IOException {
    skipBlanks();
    length = 0;
    line = place;
    first = lineBegins;
    lineBegins = false;
    int c = peek();
    if (c < 0) {
      kind = Kind.END;
      text = "";
      first = true;
    } else if (c == '%' || c == '@' || c == '$') {
      position++;
      kind = c == '%' ? Kind.LOCAL : c == '@' ? Kind.GLOBAL : Kind.COMDAT;
      name((char) c);
    } else if (c == '!' || c == '#') {
      position++;
      kind = c == '!' ? Kind.METADATA : Kind.ATTRIBUTES;
      for (c = peek(); isNamePart(c) || c == '\\'; c = peek()) {
        keep();
      }
      text = text();
    } else if (c == '"') {
      string();
      labelIf(Kind.STRING);
    } else if (isNamePart(c) || c == '+') {
      word();
    } else if (PUNCTUATION.indexOf(c) >= 0) {
      position++;
      kind = Kind.PUNCTUATION;
      text = SINGLE[c];
    } else {
      throw error("the character " + shown(c), "LLVM's textual IR");
    }
  }

  private void skipBlanks() throws IOException {
    boolean comment = false;
    for (int c = peek(); ; c = peek()) {
      if (c == '\n') {
        place++;
        lineBegins = true;
        comment = false;
      } else if (c == ';') {
        comment = true;
      } else if (c < 0 || !(comment || c == ' ' || c == '\t' || c == '\r')) {
        return;
      }
      position++;
    }
  }

  private void word() throws IOException {
    for (int c = peek(); isNamePart(c) || c == '+'; c = peek()) {
      keep();
    }
    if (length == 1 && token[0] == 'c' && peek() == '"') {
      length = 0;
      string();
      kind = Kind.STRING;
      return;
    }
    text = text();
    labelIf(Kind.WORD);
  }

  /** A token is a label if a colon follows at once. */
  private void labelIf(Kind otherwise) throws IOException {
    kind = otherwise;
    if (peek() == ':') {
      position++;
      kind = Kind.LABEL;
    }
  }

  private void name(char sign) throws IOException {
    if (peek() == '"') {
      string();
      return;
    }
    while (isNamePart(peek())) {
      keep();
    }
    if (length == 0) {
      throw error("'" + sign + "' without a name", "a name");
    }
    text = text();
  }

  /**
   * Takes a text in quotes, in which a backslash and two hexadecimal digits are a character, and
   * two backslashes are one.
   */
  private void string() throws IOException {
    position++;
    boolean escapes = false;
    for (int c = peek(); c != '"'; c = peek()) {
      if (c < 0 || c == '\n') {
        throw error("a text that does not end in its line", "a quotation mark");
      }
      escapes |= c == '\\' || c > '~';
      keep();
    }
    position++;
    text = escapes ? unescaped() : text();
  }

  private String unescaped() {
    int to = 0;
    for (int from = 0; from < length; to++) {
      int high = from + 2 < length ? Character.digit(token[from + 1], 16) : -1;
      int low = from + 2 < length ? Character.digit(token[from + 2], 16) : -1;
      if (token[from] == '\\' && high >= 0 && low >= 0) {
        token[to] = (byte) (16 * high + low);
        from += 3;
      } else {
        boolean twice = token[from] == '\\' && from + 1 < length && token[from + 1] == '\\';
        token[to] = token[from];
        from += twice ? 2 : 1;
      }
    }
    return decoded(to);
  }

  /**
   * The first bytes of the token as text: in UTF-8, as compilers write names; if they are no UTF-8,
   * those beyond ASCII as escapes, so that different names stay different.
   */
  private String decoded(int count) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(token, 0, count))
          .toString();
    } catch (CharacterCodingException e) {
      StringBuilder escaped = new StringBuilder();
      for (int i = 0; i < count; i++) {
        escaped.append(token[i] >= 0 ? "" + (char) token[i] : String.format("\\%02X", token[i]));
      }
      return escaped.toString();
    }
  }

  private static boolean isNamePart(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-'
        || c == '$';
  }

  private String text() {
    int hash = 0;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + token[i];
    }
    int place = (hash ^ hash >>> 12) & (seen.length - 1);
    String known = seen[place];
    if (known != null && known.length() == length && isToken(known)) {
      return known;
    }
    known = new String(token, 0, length, StandardCharsets.ISO_8859_1);
    seen[place] = known;
    return known;
  }

  private boolean isToken(String known) {
    for (int i = 0; i < length; i++) {
      if (known.charAt(i) != (token[i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  private static String shown(int c) {
    return c > ' ' && c <= '~' ? "'" + (char) c + "'" : "of code " + c;
  }

  /** Whether the current token is this character. */
  boolean is(char c) {
    return kind == Kind.PUNCTUATION && text.charAt(0) == c;
  }

  /** Whether the current token is this word. */
  boolean isWord(String word) {
    return kind == Kind.WORD && text.equals(word);
  }

  /** Takes the current token if it is this character. */
  boolean takeIf(char c) throws IOException {
    boolean is = is(c);
    if (is) {
      next();
    }
    return is;
  }

  /** Takes the current token if it is this word. */
  boolean takeWordIf(String word) throws IOException {
    boolean is = isWord(word);
    if (is) {
      next();
    }
    return is;
  }

  /** Takes the current token, which must be this character. */
  void take(char c) throws IOException {
    if (!takeIf(c)) {
      throw unexpected("'" + c + "'");
    }
  }

  /** Sees every token that is skipped; returns whether it has moved on itself. */
  @FunctionalInterface
  interface Visitor {
    boolean visit() throws IOException;
  }

  /**
   * Takes everything from an opening bracket to the one that closes it.
   *
   * @param inside is called at each token between them that is no bracket; may itself move on, but
   *     not past a bracket that it has not opened
   */
  void takeBrackets(Visitor inside) throws IOException {
    StringBuilder open = new StringBuilder();
    do {
      if (kind == Kind.PUNCTUATION && "([{<".contains(text)) {
        open.append(closing(text.charAt(0)));
      } else if (kind == Kind.PUNCTUATION && ")]}>".contains(text)) {
        char expected = open.charAt(open.length() - 1);
        if (!is(expected)) {
          throw unexpected("'" + expected + "'");
        }
        open.setLength(open.length() - 1);
      } else if (kind == Kind.END) {
        throw unexpected("'" + open.charAt(open.length() - 1) + "'");
      } else if (inside.visit()) {
        continue;
      }
      next();
    } while (open.length() > 0);
  }

  /** The same without a look at what is inside. */
  void skipBrackets() throws IOException {
    takeBrackets(() -> false);
  }

  private static char closing(char c) {
    return switch (c) {
      case '(' -> ')';
      case '[' -> ']';
      case '{' -> '}';
      default -> '>';
    };
  }

  /** Whether the current token is an opening bracket. */
  boolean opens() {
    return kind == Kind.PUNCTUATION && "([{<".contains(text);
  }

  /** What the current token is, for a message. */
  private String found() {
    return switch (kind) {
      case END -> "the end of the file";
      case LOCAL -> Tokenizer.quote("%" + text);
      case GLOBAL -> Tokenizer.quote("@" + text);
      case METADATA -> Tokenizer.quote("!" + text);
      case ATTRIBUTES -> Tokenizer.quote("#" + text);
      case COMDAT -> Tokenizer.quote("$" + text);
      case LABEL -> Tokenizer.quote(text + ":");
      case STRING -> Tokenizer.quote('"' + text + '"');
      case WORD, PUNCTUATION -> Tokenizer.quote(text);
    };
  }

  /** The current token where something else should be. */
  FileFormatException unexpected(String expected) {
    return unexpected(expected, null);
  }

  FileFormatException unexpected(String expected, String remedy) {
    return error(found(), expected, remedy);
  }

  FileFormatException error(String found, String expected) {
    return error(found, expected, null);
  }

  FileFormatException error(String found, String expected, String remedy) {
    return errorAt(line, found, expected, remedy);
  }

  FileFormatException errorAt(long where, String found, String expected, String remedy) {
    return new FileFormatException(source.file(), where, found, expected, remedy, null);
  }
}
