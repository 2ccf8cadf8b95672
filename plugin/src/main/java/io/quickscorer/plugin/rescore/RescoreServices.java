package io.quickscorer.plugin.rescore;

import io.quickscorer.plugin.feature.Expressions;
import io.quickscorer.plugin.memory.RequestMemory;
import io.quickscorer.plugin.model.ModelLookup;
import io.quickscorer.plugin.stats.RescoreStats;
import io.quickscorer.plugin.verify.Verifier;

/** What rescoring needs of its node. */
record RescoreServices(
    ModelLookup models,
    RequestMemory memory,
    RescoreStats stats,
    Engines engines,
    Explainers explainers,
    Verifier verifier,
    Expressions expressions) {}
