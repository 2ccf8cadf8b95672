// SPDX-License-Identifier: Apache-2.0
/**
 * Models of the cluster. A model is stored completely or not at all, and is loaded on each node
 * before searches use it. A search finds a model by its name, and uses one version until it ends.
 *
 * <p>A <em>version</em> is one content of a model. A <em>manifest</em> is a model's entry in the
 * cluster state, which lists the <em>current</em> version of each name. An <em>engine</em> is an
 * algorithm that computes scores; an engine that computed wrong scores is <em>quarantined</em>: it
 * is not used. The index of models stores each file in <em>chunks</em>. It also contains the
 * <em>catalogue</em>, a copy of the list of models in the cluster state.
 */
@NullMarked
package io.quickscorer.plugin.model;

import org.jspecify.annotations.NullMarked;
