package io.quickscorer.ensemble;

/**
 * Where an ensemble came from, for people; nothing is computed from it.
 *
 * @param format the file's format as users name it, e.g. {@code lightgbm_text}
 * @param version the library's version as far as the file tells, else empty
 * @param objective the objective as the file spells it, else empty
 */
public record ModelSource(String format, String version, String objective) {}
