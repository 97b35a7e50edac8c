package io.magpie.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a module's {@code api.txt} lists; shared by the tests of modules. */
public final class ApiFile {
  private ApiFile() {}

  /**
   * Compares what is public with what is listed, or lists it, with {@code -Dmagpie.api.write=true}.
   *
   * @param module the module's folder
   * @param lines what is public
   */
  public static void check(Path module, List<String> lines) throws IOException {
    Path file = module.resolve("api.txt");
    if (Boolean.getBoolean("magpie.api.write")) {
      Files.write(file, lines);
    }
    assertEquals(
        String.join("\n", Files.readAllLines(file)),
        String.join("\n", lines),
        "the public surface of "
            + module
            + " has changed; if that is meant, -Dmagpie.api.write=true writes api.txt");
  }

  /** Whether programs may use a type. */
  public static boolean isPublic(JavaClass type) {
    if (type.getPackageName().contains(".internal") || type.isAnonymousClass()) {
      return false;
    }
    for (Class<?> each = type.reflect(); each != null; each = each.getEnclosingClass()) {
      if (!Modifier.isPublic(each.getModifiers())) {
        return false;
      }
    }
    return true;
  }

  /** A type with its members. */
  public static List<String> described(Class<?> type) {
    List<String> lines = new ArrayList<>();
    // Newer JDKs say which types are sealed, 17 does not.
    lines.add(type.toGenericString().replaceFirst("\\b(non-)?sealed ", "") + supertypes(type));
    Stream<? extends Member> members =
        Stream.of(
                Stream.of(type.getDeclaredFields()),
                Stream.of(type.getDeclaredConstructors()),
                Stream.of(type.getDeclaredMethods()))
            .flatMap(each -> each);
    members
        .filter(each -> !each.isSynthetic())
        .filter(each -> (each.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
        .map(ApiFile::text)
        .map(text -> "  " + text.replace(type.getName() + ".", "").replace("java.lang.", ""))
        .sorted()
        .forEach(lines::add);
    return lines;
  }

  /** What a type extends and implements, but for what its kind says. */
  private static String supertypes(Class<?> type) {
    List<String> of =
        Stream.concat(
                Stream.ofNullable(type.getGenericSuperclass())
                    .filter(each -> each != Object.class)
                    .filter(each -> !type.isEnum() && !type.isRecord()),
                Stream.of(type.getGenericInterfaces()).filter(each -> !type.isAnnotation()))
            .map(Type::getTypeName)
            .toList();
    return of.isEmpty() ? "" : " : " + String.join(", ", of);
  }

  private static String text(Member member) {
    if (member instanceof Field field) {
      return field.toGenericString();
    }
    return member instanceof Method method
        ? method.toGenericString()
        : ((Constructor<?>) member).toGenericString();
  }
}
