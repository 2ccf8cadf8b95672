/**
 * Benchmarks: {@link io.quickscorer.bench.RoundRobin} compares scorers in one JVM, {@link
 * io.quickscorer.bench.ScorerBenchmark} is the same under JMH. Compiled by the profile {@code jmh}.
 */
package io.quickscorer.bench;
