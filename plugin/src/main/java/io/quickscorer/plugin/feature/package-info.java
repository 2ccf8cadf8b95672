/** Feature sets, and the columns of feature values they give for a shard's hits. */
@NullMarked
package io.quickscorer.plugin.feature;

import org.jspecify.annotations.NullMarked;
