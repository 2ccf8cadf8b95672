// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.cli.input;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Thrown to end the program, with the exit status and the line of text for standard error. */
public final class Failure extends Exception {
  private static final long serialVersionUID = 1L;

  public static final int USAGE = 2;
  public static final int MODEL = 3;
  public static final int DATA = 4;

  private final int status;

  private Failure(int status, String message) {
    super(message);
    this.status = status;
  }

  public static Failure usage(String message) {
    return new Failure(USAGE, message);
  }

  public static Failure model(String file, String message) {
    return new Failure(MODEL, file + ": " + message);
  }

  /** Returns the failure for a file that cannot be read, or is not a valid gzip stream or text. */
  public static Failure io(Path file, IOException e) {
    if (e instanceof ZipException || e instanceof EOFException) {
      return new Failure(DATA, file + ": damaged or truncated gzip stream");
    }
    if (e instanceof CharacterCodingException) {
      return new Failure(DATA, file + ": not UTF-8");
    }
    String reason =
        e instanceof NoSuchFileException
            ? "no such file"
            : e instanceof AccessDeniedException
                ? "permission denied"
                : Files.isDirectory(file) ? "is a folder" : "cannot be read";
    return new Failure(USAGE, file + ": " + reason);
  }

  /** Returns the failure for a file that cannot be written. */
  public static Failure unwritable(Path file, IOException e) {
    String reason =
        switch (e) {
          case NoSuchFileException missing -> "no such folder";
          case AccessDeniedException denied -> "permission denied";
          case FileAlreadyExistsException exists -> "a file with this name exists";
          case FileSystemException system when system.getReason() != null -> system.getReason();
          default -> String.valueOf(e.getMessage());
        };
    return new Failure(USAGE, file + ": cannot be written: " + reason);
  }

  /** Returns the failure for bad data in a line. Lines are numbered from 1. */
  public static Failure data(long line, String message) {
    return new Failure(DATA, "line " + line + ": " + message);
  }

  /** Returns a copy of this failure whose message begins with the name of a file. */
  public Failure in(Path file) {
    return new Failure(status, file + ": " + getMessage());
  }

  public int status() {
    return status;
  }
}
