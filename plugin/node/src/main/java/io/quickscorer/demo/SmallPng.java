// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.demo;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Writes PNG files with a palette of 256 colours, which halves the size of the files. */
final class SmallPng {
  private static final int COLOURS = 256;

  /** The highest level of red, green and blue, which are rounded to the levels 0 to 31. */
  private static final int MAX_LEVEL = 31;

  private static final int MAX_VALUE = 255;

  private final List<Integer> palette = new ArrayList<>();
  private final Map<Integer, Integer> indices = new HashMap<>();

  private SmallPng() {}

  /**
   * Writes a picture. The palette contains the first 256 colours that occur in the picture; each
   * further colour is replaced by the nearest colour of the palette.
   */
  static void write(byte[] picture, Path file) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(picture));
    byte[] pixels = new byte[image.getWidth() * image.getHeight()];
    SmallPng colours = new SmallPng();
    for (int i = 0; i < pixels.length; i++) {
      int rgb = image.getRGB(i % image.getWidth(), i / image.getWidth());
      pixels[i] = (byte) (int) colours.indices.computeIfAbsent(rounded(rgb), colours::index);
    }
    int[] palette = colours.palette.stream().mapToInt(colour -> colour).toArray();
    BufferedImage small =
        new BufferedImage(
            image.getWidth(),
            image.getHeight(),
            BufferedImage.TYPE_BYTE_INDEXED,
            new IndexColorModel(8, palette.length, palette, 0, false, -1, DataBuffer.TYPE_BYTE));
    small.getRaster().setDataElements(0, 0, image.getWidth(), image.getHeight(), pixels);
    ImageIO.write(small, "png", file.toFile());
  }

  private static int rounded(int rgb) {
    int rounded = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int level = Math.round(channel(rgb, shift) * (float) MAX_LEVEL / MAX_VALUE);
      rounded |= Math.round(level * (float) MAX_VALUE / MAX_LEVEL) << shift;
    }
    return rounded;
  }

  private static int channel(int rgb, int shift) {
    return rgb >> shift & MAX_VALUE;
  }

  /** Returns the palette's index of a colour or, if the palette is full, of the nearest colour. */
  private int index(int rgb) {
    if (palette.size() < COLOURS) {
      palette.add(rgb);
      return palette.size() - 1;
    }
    int nearest = 0;
    for (int i = 1; i < COLOURS; i++) {
      if (distance(palette.get(i), rgb) < distance(palette.get(nearest), rgb)) {
        nearest = i;
      }
    }
    return nearest;
  }

  private static int distance(int a, int b) {
    int distance = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int difference = channel(a, shift) - channel(b, shift);
      distance += difference * difference;
    }
    return distance;
  }
}
