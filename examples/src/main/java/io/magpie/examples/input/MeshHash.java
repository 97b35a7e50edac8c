package io.magpie.examples.input;

import io.magpie.algorithms.mesh.Mesh;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A mesh's identity in result files: SHA-256 over its numbers of vertices, triangles and segments,
 * the corners of triangles and the ends of segments (4 bytes each), the coordinates (8 bytes each,
 * their bits), and the area bounds of triangles, if there are any (likewise), all little-endian, so
 * that equal meshes have equal hashes wherever they come from.
 */
public final class MeshHash {
  private static final int CHUNK = 1 << 16;

  private final MessageDigest digest;
  private final ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);

  private MeshHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The hash, such as {@code sha256:12ab...} with 64 hexadecimal digits. */
  public static String of(Mesh mesh) {
    MeshHash hash = new MeshHash();
    hash.room().putInt(mesh.vertices());
    hash.room().putInt(mesh.triangles());
    hash.room().putInt(mesh.segments());
    for (int t = 0; t < mesh.triangles(); t++) {
      for (int k = 0; k < 3; k++) {
        hash.room().putInt(mesh.corner(t, k));
      }
    }
    for (int s = 0; s < mesh.segments(); s++) {
      hash.room().putInt(mesh.segmentStart(s));
      hash.room().putInt(mesh.segmentEnd(s));
    }
    for (int v = 0; v < mesh.vertices(); v++) {
      hash.room().putDouble(mesh.x(v));
      hash.room().putDouble(mesh.y(v));
    }
    if (mesh.hasAreaBounds()) {
      for (int t = 0; t < mesh.triangles(); t++) {
        hash.room().putDouble(mesh.areaBound(t));
      }
    }
    hash.flush();
    return "sha256:" + HexFormat.of().formatHex(hash.digest.digest());
  }

  /** The buffer, with room for a number. */
  private ByteBuffer room() {
    if (buffer.remaining() < Double.BYTES) {
      flush();
    }
    return buffer;
  }

  private void flush() {
    digest.update(buffer.array(), 0, buffer.position());
    buffer.clear();
  }
}
