package io.quickscorer.plugin.feature;

/** One feature of a {@link FeatureSet}. */
public record FeatureDefinition(String name) {}
