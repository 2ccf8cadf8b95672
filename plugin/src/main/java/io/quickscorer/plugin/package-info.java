/** The OpenSearch plugin; {@link io.quickscorer.plugin.QuickScorerPlugin} only registers. */
@NullMarked
package io.quickscorer.plugin;

import org.jspecify.annotations.NullMarked;
