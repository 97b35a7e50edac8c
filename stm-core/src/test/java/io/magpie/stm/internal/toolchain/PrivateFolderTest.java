package io.magpie.stm.internal.toolchain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only this user can have written, and what not. */
class PrivateFolderTest {
  private static final int SOMEBODY = 1001;

  @TempDir Path folder;

  static void give(Path file, int user) throws IOException {
    assumeTrue(
        (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0,
        "only root can give files away");
    Files.setAttribute(file, "unix:uid", user);
  }

  private Path make(String name, String permissions) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(permissions));
    return made;
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static void assertRefused(Path refused, String... parts) {
    String message =
        assertThrows(PrivateFolder.NotPrivateException.class, () -> PrivateFolder.at(refused))
            .getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void whatIsMissingIsMadeForItsOwnerAlone() throws IOException {
    Path made = PrivateFolder.at(folder.resolve("not/there"));

    assertEquals(folder.toRealPath().resolve("not/there"), made);
    assertEquals("rwx------", mode(made));
    assertEquals("rwx------", mode(made.getParent()));
    assertEquals(made, PrivateFolder.at(made));
  }

  @Test
  void whatOthersOnlyReadIsPrivate() throws IOException {
    Path read = make("read", "rwxr-xr-x");

    assertEquals(read.toRealPath(), PrivateFolder.at(read));
    assertEquals("rwxr-xr-x", mode(read), "left as it is");
  }

  @Test
  void whatOthersWriteIsRefused() throws IOException {
    assertRefused(make("all", "rwxrwxrwx"), "mode 0777", "chmod go-w", "/all");
    assertRefused(make("group", "rwxrwx---"), "mode 0770");
  }

  @Test
  void aFolderThatOthersCanReplaceIsRefusedAndNotMade() throws IOException {
    Path open = make("open", "rwxrwxrwx");

    assertRefused(open.resolve("cache"), open + " (mode 0777)");
    assertFalse(Files.exists(open.resolve("cache")));
  }

  @Test
  void aStickyFolderKeepsWhatIsInIt() throws IOException {
    Path sticky = make("sticky", "rwxrwxrwx");
    Files.setAttribute(sticky, "unix:mode", 01777);

    assertEquals(sticky.toRealPath().resolve("cache"), PrivateFolder.at(sticky.resolve("cache")));
    assertRefused(sticky, "mode 1777");
  }

  @Test
  void whatBelongsToSomebodyElseIsRefused() throws IOException {
    Path given = make("given", "rwx------");
    give(given, SOMEBODY);

    assertRefused(given, given.toRealPath() + " belongs to user 1001", "this process is user 0");
    assertRefused(given.resolve("below"), "belongs to user 1001");
    assertFalse(Files.exists(given.resolve("below")), "nothing is made in another one's folder");
  }

  @Test
  void aLinkIsJudgedByWhereItLeads() throws IOException {
    Path open = make("target", "rwxrwxrwx");

    assertRefused(Files.createSymbolicLink(folder.resolve("link"), open), "/target");
  }

  @Test
  void aRelativeNameIsRefused() {
    assertRefused(Path.of("cache"), "cache is relative");
  }

  @Test
  void aFileIsRefused() throws IOException {
    assertRefused(Files.createFile(folder.resolve("file")), "/file is not a folder");
  }

  @Test
  void aFileIsHeldIfNobodyElseWritesToIt() throws IOException {
    Path file = Files.createFile(folder.resolve("library"), PrivateFolder.ONLY_OWNER_READS);
    assertTrue(PrivateFolder.holds(file));
    assertFalse(PrivateFolder.holds(folder.resolve("missing")));
    assertFalse(PrivateFolder.holds(Files.createSymbolicLink(folder.resolve("link"), file)));

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw--w----"));
    assertFalse(PrivateFolder.holds(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertTrue(PrivateFolder.holds(file));
    give(file, SOMEBODY);
    assertFalse(PrivateFolder.holds(file));
  }
}
