package io.quickscorer.plugin;

import org.opensearch.plugins.Plugin;

/** Registers what the plugin adds to a node. */
public final class QuickScorerPlugin extends Plugin {}
