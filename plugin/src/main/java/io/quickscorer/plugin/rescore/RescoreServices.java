package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.Expressions;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelLookup;
import io.quickscorer.plugin.stats.RescoreStats;

/** What rescoring needs of its node. */
record RescoreServices(
    ModelLookup models,
    RequestMemory memory,
    RescoreStats stats,
    Engines engines,
    Explainers explainers,
    Expressions expressions) {}
