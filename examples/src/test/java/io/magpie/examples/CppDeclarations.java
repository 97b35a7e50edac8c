package io.magpie.examples;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What C++ headers declare at the scope of namespaces, with the public members of types, and which
 * macros they define: read from a preprocessor's output. It tells declarations from bodies by
 * braces and knows no types, which is enough for a listing.
 */
final class CppDeclarations {
  /**
   * A declaration or a macro.
   *
   * @param file the header that has it, as the preprocessor names it
   * @param scope the namespaces around it, such as {@code magpie::stm}; empty for macros
   * @param name what it declares
   * @param lines it without its body, and public members behind
   */
  record Declared(String file, String scope, String name, List<String> lines) {}

  private static final Pattern MARKER = Pattern.compile("# (\\d+) \"([^\"]*)\".*");

  private static final Pattern DEFINE =
      Pattern.compile("#define (?<name>\\w+)(?<parameters>\\([^)]*\\))?.*");

  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>\\s+)|(?<comment>//[^\n]*|/\\*.*?\\*/)"
              + "|\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'"
              + "|[A-Za-z_]\\w*"
              + "|\\d(?:[\\w.]|'\\w)*"
              + "|::|->|\\[\\[|\\]\\]|&&|\\.\\.\\.|.", // >> is two
          Pattern.DOTALL);

  /** A comment that says whom the members behind it are for, up to the next one. */
  private static final Pattern FOR_WHOM = Pattern.compile("// ---- For (?<whom>[\\w ]+)\\..*");

  private static final Set<String> TYPE_KEYS = Set.of("struct", "class", "union", "enum");

  /** What says how a function is compiled, and nothing of how it is called. */
  private static final Set<String> OMITTED = Set.of("inline", "__extension__", "__inline__");

  private static final Set<String> NOT_LISTED = Set.of("static_assert", "friend");

  private record Token(String text, boolean spaced, String file) {}

  private final List<Token> tokens = new ArrayList<>();
  private final Map<String, Declared> macros = new HashMap<>();
  private final List<Declared> declared = new ArrayList<>();
  private final String readers;
  private int at;

  private CppDeclarations(List<String> preprocessed, Predicate<String> files, String readers) {
    this.readers = readers;
    String file = "";
    StringBuilder text = new StringBuilder();
    for (String line : preprocessed) {
      Matcher marker = MARKER.matcher(line);
      Matcher define = DEFINE.matcher(line);
      if (marker.matches()) {
        tokenize(text, file);
        file = marker.group(2);
      } else if (!files.test(file)) {
        continue;
      } else if (define.matches()) {
        String name = define.group("name");
        String parameters = define.group("parameters") == null ? "" : define.group("parameters");
        String shown = "#define " + name + parameters.replaceAll(",\\s*", ", ");
        macros.put(name, new Declared(file, "", name, List.of(shown)));
      } else if (line.startsWith("#undef ")) {
        macros.remove(line.substring("#undef ".length()).strip());
      } else if (!line.startsWith("#")) {
        text.append(line).append('\n');
      }
    }
    tokenize(text, file);
  }

  private void tokenize(StringBuilder text, String file) {
    Matcher each = TOKEN.matcher(text);
    boolean spaced = true;
    while (each.find()) {
      boolean isSkipped = each.group("space") != null || each.group("comment") != null;
      if (!isSkipped || FOR_WHOM.matcher(each.group()).matches()) {
        tokens.add(new Token(each.group(), spaced, file));
      }
      spaced = isSkipped;
    }
    text.setLength(0);
  }

  /**
   * Reads what a preprocessor has made of headers.
   *
   * @param preprocessed lines with markers of files and, if macros are wanted, directives
   * @param files which headers are read; others are left out as a whole
   * @param readers for whom members are listed where comments such as {@code // ---- For regions.}
   *     say it; such comments must have been kept
   */
  static List<Declared> in(List<String> preprocessed, Predicate<String> files, String readers) {
    CppDeclarations reader = new CppDeclarations(preprocessed, files, readers);
    reader.scope("", null, false);
    if (reader.at < reader.tokens.size()) {
      throw new IllegalArgumentException(
          reader.tokens.get(reader.at).file() + " has a brace '}' that opens nowhere");
    }
    reader.declared.addAll(reader.macros.values());
    return reader.declared;
  }

  private String text(int index) {
    return index < tokens.size() ? tokens.get(index).text() : "";
  }

  /**
   * Reads declarations up to the brace that ends their scope.
   *
   * @param members takes those of a type; null in a namespace
   * @param isPublic whether they are public at first
   */
  private void scope(String name, List<String> members, boolean isPublic) {
    boolean isListed = isPublic;
    boolean isForOthers = false;
    while (at < tokens.size() && !text(at).equals("}")) {
      if (members != null && text(at + 1).equals(":") && isAccess(text(at))) {
        isListed = text(at).equals("public");
        at += 2;
      } else if (text(at).startsWith("//")) {
        isForOthers = !FOR_WHOM.matcher(text(at)).replaceAll("${whom}").equals(readers);
        at++;
      } else if (text(at).equals(";")) {
        at++;
      } else {
        declaration(name, members, isListed && !isForOthers);
      }
    }
  }

  private static boolean isAccess(String text) {
    return Set.of("public", "protected", "private").contains(text);
  }

  /** Reads one declaration with its body. */
  private void declaration(String scope, List<String> members, boolean isListed) {
    List<Token> head = new ArrayList<>();
    boolean isInitialized = false; // what follows is a value, or values of members
    boolean hasParameters = false;
    while (at < tokens.size()) {
      String token = text(at);
      if (token.equals(";")) {
        at++;
        break;
      }
      if (token.equals("{")) {
        if (opensScope(head)) {
          at++;
          scope(inner(scope, head), members, isListed);
          at++;
          return;
        }
        if (isType(head)) {
          type(scope, head, members, isListed);
          return;
        }
        skipBraces();
        boolean goesOn = isInitialized && (text(at).equals(",") || text(at).equals("{"));
        if (hasParameters && !goesOn && !isConcept(head)) {
          break; // that was the body
        }
        isInitialized = true;
      } else if (token.equals("[[") || token.equals("__attribute__")) {
        skipAttribute();
      } else if (token.equals("template") && text(at + 1).equals("<")) {
        take(head, isInitialized);
        angles(head);
      } else if (token.equals("requires") && !isInitialized) {
        requirement(head);
      } else if (token.equals("operator")) {
        while (!text(at).equals("(") || text(at + 1).equals(")") && text(at + 2).equals("(")) {
          take(head, isInitialized);
        }
      } else if (token.equals("(")) {
        hasParameters |= !isInitialized;
        parentheses(head, isInitialized);
      } else {
        boolean isOfFunction = Set.of("delete", "default", "0").contains(text(at + 1));
        isInitialized |= token.equals("=") && !(hasParameters && isOfFunction) && !isAlias(head);
        isInitialized |=
            token.equals(":") && !isType(head) && (hasParameters || members != null); // or bits
        take(head, isInitialized);
      }
    }
    if (!isType(head)) { // else it comes with its members elsewhere
      add(scope, head, members, isListed, List.of());
    }
  }

  /** A type with its members. */
  private void type(String scope, List<Token> head, List<String> members, boolean isListed) {
    List<String> own = new ArrayList<>();
    if (behindTemplate(head, 0).equals("enum")) {
      enumerators(own);
    } else {
      at++;
      scope("", own, !behindTemplate(head, 0).equals("class"));
      at++;
    }
    add(scope, withoutPrivateBases(head), members, isListed, own);
    while (at < tokens.size() && !text(at).equals(";")) {
      if (text(at).equals("{")) {
        skipBraces();
      } else {
        at++;
      }
    }
    at++;
  }

  /** What stands before the members, but for the bases that programs do not see. */
  private static List<Token> withoutPrivateBases(List<Token> head) {
    List<Token> seen = new ArrayList<>();
    int depth = 0;
    boolean isBase = false;
    boolean isHidden = false;
    for (int i = 0; i < head.size(); i++) {
      String token = head.get(i).text();
      depth += Set.of("<", "(").contains(token) ? 1 : Set.of(">", ")").contains(token) ? -1 : 0;
      if (depth == 0 && (token.equals(":") || isBase && token.equals(","))) {
        isBase = true;
        isHidden = i + 1 < head.size() && head.get(i + 1).text().equals("private");
      }
      if (!isHidden) {
        seen.add(head.get(i));
      }
    }
    return seen;
  }

  private void enumerators(List<String> into) {
    int end = endOfBraces(at);
    boolean isName = true;
    int depth = 0;
    for (at++; at < end; at++) {
      String token = text(at);
      if (isName && !token.equals("[[")) {
        into.add(token);
        isName = false;
      }
      depth += Set.of("(", "{").contains(token) ? 1 : Set.of(")", "}").contains(token) ? -1 : 0;
      isName |= depth == 0 && token.equals(",");
    }
    at++;
  }

  /** Takes a token over, unless it is part of a value. */
  private void take(List<Token> head, boolean isOmitted) {
    if (!isOmitted && !OMITTED.contains(text(at))) {
      head.add(tokens.get(at));
    }
    at++;
  }

  /** Takes what is in parentheses, which need not be all there is in one line. */
  private void parentheses(List<Token> head, boolean isOmitted) {
    int depth = 0;
    do {
      if (text(at).equals("[[")) {
        skipAttribute();
        continue;
      }
      depth += text(at).equals("(") ? 1 : text(at).equals(")") ? -1 : 0;
      take(head, isOmitted);
    } while (depth > 0 && at < tokens.size());
  }

  private void angles(List<Token> head) {
    int depth = 0;
    do {
      if (text(at).equals("(")) {
        parentheses(head, false);
        continue;
      }
      depth += text(at).equals("<") ? 1 : text(at).equals(">") ? -1 : 0;
      take(head, false);
    } while (depth > 0 && at < tokens.size());
  }

  /** A requires-clause, or the first part of one: whose braces are no body. */
  private void requirement(List<Token> head) {
    while (text(at).equals("requires")) {
      take(head, false);
      if (text(at).equals("(")) {
        parentheses(head, false);
      }
    }
    if (text(at).equals("{")) {
      for (int end = endOfBraces(at); at <= end; ) {
        take(head, false);
      }
    }
  }

  private void skipAttribute() {
    if (text(at).equals("__attribute__")) {
      at++;
      parentheses(new ArrayList<>(), true);
      return;
    }
    while (at < tokens.size() && !text(at).equals("]]")) {
      at++;
    }
    at++;
  }

  private void skipBraces() {
    at = endOfBraces(at) + 1;
  }

  /** Where the brace closes that opens here. */
  private int endOfBraces(int from) {
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      depth += text(i).equals("{") ? 1 : text(i).equals("}") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return tokens.size() - 1;
  }

  private static boolean opensScope(List<Token> head) {
    boolean isLinkage =
        head.size() == 2
            && head.get(0).text().equals("extern")
            && head.get(1).text().startsWith("\"");
    return isLinkage || head.stream().anyMatch(each -> each.text().equals("namespace"));
  }

  /** Machines' namespaces are inline ones, which nobody names. */
  private static String inner(String scope, List<Token> head) {
    int at = 0;
    while (at < head.size() && !head.get(at).text().equals("namespace")) {
      at++;
    }
    String name =
        head.stream().skip(at + 1).map(Token::text).collect(Collectors.joining()); // a::b, too
    return name.isEmpty() || name.startsWith("magpie_")
        ? scope
        : scope.isEmpty() ? name : scope + "::" + name;
  }

  /** The tokens behind the parameters of templates and what they require. */
  private static int behindTemplate(List<Token> head) {
    int i = 0;
    while (i < head.size() && head.get(i).text().equals("template")) {
      int depth = 0;
      do {
        i++;
        String token = head.get(i).text();
        depth += Set.of("<", "(").contains(token) ? 1 : Set.of(">", ")").contains(token) ? -1 : 0;
      } while (depth > 0 && i + 1 < head.size());
      i++;
    }
    while (i < head.size() && head.get(i).text().equals("requires")) {
      int depth = 0;
      do {
        i++;
        String token = i < head.size() ? head.get(i).text() : ")";
        depth += Set.of("{", "(").contains(token) ? 1 : Set.of("}", ")").contains(token) ? -1 : 0;
      } while (i + 1 < head.size() && (depth > 0 || head.get(i).text().equals("requires")));
      i++;
    }
    return i;
  }

  private static String behindTemplate(List<Token> head, int offset) {
    int i = behindTemplate(head) + offset;
    return i < head.size() ? head.get(i).text() : "";
  }

  private static boolean isType(List<Token> head) {
    return TYPE_KEYS.contains(behindTemplate(head, 0));
  }

  private static boolean isAlias(List<Token> head) {
    return behindTemplate(head, 0).equals("using");
  }

  private static boolean isConcept(List<Token> head) {
    return behindTemplate(head, 0).equals("concept");
  }

  private void add(
      String scope, List<Token> head, List<String> members, boolean isListed, List<String> own) {
    String first = behindTemplate(head, 0);
    if (head.isEmpty() || NOT_LISTED.contains(first) || (members != null && !isListed)) {
      return;
    }
    List<String> lines = new ArrayList<>();
    lines.add(shown(head));
    own.stream()
        .sorted()
        .distinct()
        .map(each -> ("  " + each).replace("\n", "\n  "))
        .forEach(lines::add);
    if (members != null) {
      members.add(String.join("\n", lines));
    } else {
      declared.add(new Declared(head.get(0).file(), scope, name(head), lines));
    }
  }

  /** What a declaration gives a name to. */
  private static String name(List<Token> head) {
    int from = behindTemplate(head);
    String first = from < head.size() ? head.get(from).text() : "";
    if (TYPE_KEYS.contains(first)) {
      boolean isScoped = Set.of("class", "struct").contains(behindTemplate(head, 1));
      int i = from + (isScoped ? 2 : 1);
      if (i < head.size() && head.get(i).text().equals("alignas")) {
        while (!head.get(i).text().equals(")")) {
          i++;
        }
        i++;
      }
      return i < head.size() ? head.get(i).text() : "";
    }
    if (Set.of("using", "concept").contains(first)) {
      return behindTemplate(head, 1);
    }
    String name = "";
    for (int i = from; i < head.size(); i++) {
      String token = head.get(i).text();
      if (token.equals("operator") || (token.equals("(") && !name.isEmpty())) {
        return token.equals("(") ? name : "operator";
      }
      if (Set.of("[", ":", "=").contains(token)) {
        return name;
      }
      if (token.equals("<")) { // of a specialization, or of the type: the name is behind or before
        int depth = 0;
        do {
          token = head.get(i).text();
          depth += token.equals("<") ? 1 : token.equals(">") ? -1 : 0;
          i++;
        } while (depth > 0 && i < head.size());
        i--;
      } else if (Character.isJavaIdentifierStart(token.charAt(0))) {
        name = token;
      }
    }
    return name;
  }

  private static String shown(List<Token> head) {
    StringBuilder text = new StringBuilder();
    for (Token each : head) {
      char last = text.isEmpty() ? '(' : text.charAt(text.length() - 1);
      boolean isTight = last == '(' || Set.of(")", ",", ";").contains(each.text());
      if (each.spaced() && !isTight) {
        text.append(' ');
      }
      text.append(each.text());
    }
    return text.toString();
  }
}
