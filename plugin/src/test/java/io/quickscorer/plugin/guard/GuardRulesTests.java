// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.guard;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.ActionListenerResponseHandler;
import org.opensearch.action.ActionRunnable;
import org.opensearch.action.StepListener;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.action.support.clustermanager.TransportClusterManagerNodeAction;
import org.opensearch.action.support.nodes.TransportNodesAction;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterStateApplier;
import org.opensearch.cluster.ClusterStateListener;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.QueryRewriteContext;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.action.cat.AbstractCatAction;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.pipeline.SearchRequestProcessor;
import org.opensearch.search.pipeline.SearchResponseProcessor;
import org.opensearch.search.rescore.Rescorer;
import org.opensearch.search.rescore.RescorerBuilder;
import org.opensearch.test.OpenSearchTestCase;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportResponseHandler;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * An {@code Error} on a thread of the server halts the node. So all work of the plugin runs within
 * a {@link Guard}: what the server calls, each task of a pool, each listener of a request. Nothing
 * makes one itself: what is wrong is an exception.
 */
public class GuardRulesTests extends OpenSearchTestCase {
  /** Methods that the server calls; where one is overridden, it calls the guard itself. */
  private static final Map<Class<?>, Set<String>> ENTRIES =
      Map.of(
          ClusterStateListener.class, Set.of("clusterChanged"),
          ClusterStateApplier.class, Set.of("applyClusterState"),
          BaseRestHandler.class, Set.of("prepareRequest"),
          AbstractCatAction.class, Set.of("doCatRequest"),
          TransportNodesAction.class, Set.of("nodeOperation"),
          TransportClusterManagerNodeAction.class, Set.of("clusterManagerOperation"),
          AckedClusterStateUpdateTask.class, Set.of("execute", "clusterStateProcessed"),
          ActionFilter.class, Set.of("apply"),
          Rescorer.class, Set.of("rescore", "explain"),
          RescorerBuilder.class, Set.of("rewrite", "innerBuildContext"));

  /** Whoever makes one of these wraps it by {@link Guard#entry}. */
  private static final List<Class<?>> WRAPPED =
      List.of(
          FetchSubPhaseProcessor.class,
          SearchRequestProcessor.class,
          SearchResponseProcessor.class,
          SearchOperationListener.class);

  /** Whoever hands something over by one of these calls the guard in the same method. */
  private static final Map<Class<?>, Set<String>> REGISTRATIONS =
      Map.of(
          IndexModule.class,
          Set.of(
              "addSearchOperationListener", "addIndexEventListener", "addIndexOperationListener"),
          QueryRewriteContext.class,
          Set.of("registerAsyncAction"),
          TransportService.class,
          Set.of("registerRequestHandler"));

  /** Only the guard calls these. */
  private static final Map<Class<?>, Set<String>> FORBIDDEN =
      Map.of(
          ThreadPool.class,
          Set.of("executor", "generic", "schedule", "scheduleWithFixedDelay"),
          StepListener.class,
          Set.of("whenComplete"),
          Thread.class,
          Set.of("<init>", "ofVirtual", "ofPlatform", "startVirtualThread"));

  /** What is called back. */
  private static final List<Class<?>> CALLBACKS =
      List.of(ActionListener.class, Runnable.class, TransportResponseHandler.class);

  /** Makes of a callback another one, and calls it on the thread on which that is called. */
  private static final List<Class<?>> COMBINING =
      List.of(
          ActionListener.class,
          ActionListenerResponseHandler.class,
          ActionRunnable.class,
          ContextPreservingActionListener.class,
          GroupedActionListener.class,
          ThreadContext.class);

  /**
   * Pools whose tasks are guarded where they run, see {@code Helpers} and {@code Verifier}; a
   * method that returns its argument; a message whose answer is dropped; callbacks of a superclass,
   * which calls methods that are guarded; a part of a client that is guarded; what loads classes
   * beforehand.
   */
  private static final Set<String> ALLOWED =
      Set.of(
          ".<init> hands a callback to RetryableAction.<init>",
          "CaughtError.prepare makes a StackOverflowError",
          "EnsembleRescorer.explain is called by the server",
          "IdleThreads.pool calls executor",
          "ModelIndex.create hands a callback to IndicesAdminClient.create",
          "Publication.<init> hands a callback to AckedClusterStateUpdateTask.<init>",
          "QuickScorerPlugin.createComponents calls executor",
          "RowRelease.send hands a callback to TransportService.sendRequest",
          "Activation.doExecute hands a callback to TransportClusterManagerNodeAction.doExecute");

  private static Set<String> violations(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (!type.getName().startsWith(Guard.class.getName() + "$")
          && !type.isEquivalentTo(Guard.class)
          && !type.isAssignableTo(GuardedClient.class)) {
        type.getCodeUnits().forEach(unit -> check(unit, found));
      }
    }
    return found;
  }

  private static void check(JavaCodeUnit unit, Set<String> found) {
    JavaClass type = unit.getOwner();
    boolean guarded = callsGuard(unit);
    String name = type.getSimpleName() + "." + unit.getName();
    boolean code =
        !unit.getModifiers().contains(JavaModifier.ABSTRACT)
            && !unit.getModifiers().contains(JavaModifier.SYNTHETIC)
            && !unit.getModifiers().contains(JavaModifier.BRIDGE);
    ENTRIES.forEach(
        (entry, methods) -> {
          if (code
              && !guarded
              && type.isAssignableTo(entry.getName())
              && methods.contains(unit.getName())
              && overrides(unit)) {
            found.add(name + " is called by the server");
          }
        });
    for (JavaAccess<?> access : accesses(unit)) {
      JavaClass owner = access.getTargetOwner();
      String called = access.getName();
      FORBIDDEN.forEach(
          (by, methods) -> {
            if (owner.isAssignableTo(by.getName()) && methods.contains(called)) {
              found.add(name + " calls " + called);
            }
          });
      REGISTRATIONS.forEach(
          (by, methods) -> {
            if (!guarded && owner.isAssignableTo(by.getName()) && methods.contains(called)) {
              found.add(name + " calls " + called);
            }
          });
      if (called.equals("<init>")
          && !unit.getName().equals("<init>")
          && owner.isAssignableTo(Error.class)) {
        found.add(name + " makes a " + owner.getSimpleName());
      }
      if (!guarded && takesCallback(access)) {
        found.add(name + " hands a callback to " + owner.getSimpleName() + "." + called);
      }
      if (called.equals("<init>")
          && !unit.getName().equals("<init>")
          && !guarded
          && WRAPPED.stream().anyMatch(one -> owner.isAssignableTo(one.getName()))
          && owner.getPackageName().startsWith("io.quickscorer")) {
        found.add(name + " makes a " + owner.getSimpleName());
      }
      if (owner.isAssignableTo(Client.class.getName())
          && !owner.isAssignableTo(GuardedClient.class.getName())
          && !called.equals("<init>")
          && !Set.of("threadPool", "getLocalNodeId", "settings").contains(called)
          && !Set.of("Answers", "Requests").contains(type.getSimpleName())) {
        found.add(name + " calls " + owner.getSimpleName() + "." + called);
      }
    }
  }

  /** Whether it is a method of the server that calls back on a thread of its choice. */
  private static boolean takesCallback(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    return owner.getPackageName().startsWith("org.opensearch.")
        && !owner.isAssignableTo(Client.class)
        && COMBINING.stream().noneMatch(owner::isEquivalentTo)
        && access.getTarget() instanceof CodeUnitAccessTarget target
        && target.getRawParameterTypes().stream()
            .anyMatch(type -> CALLBACKS.stream().anyMatch(type::isAssignableTo));
  }

  /** Overloads of an entry that only its own class calls are private or static. */
  private static boolean overrides(JavaCodeUnit unit) {
    return !unit.getModifiers().contains(JavaModifier.PRIVATE)
        && !unit.getModifiers().contains(JavaModifier.STATIC);
  }

  private static List<JavaAccess<?>> accesses(JavaCodeUnit unit) {
    List<JavaAccess<?>> all = new ArrayList<>(unit.getMethodCallsFromSelf());
    all.addAll(unit.getConstructorCallsFromSelf());
    all.addAll(unit.getMethodReferencesFromSelf());
    all.addAll(unit.getConstructorReferencesFromSelf());
    return all;
  }

  /** Whether it calls the guard, not only one of its methods that catch exceptions alone. */
  private static boolean callsGuard(JavaCodeUnit unit) {
    return accesses(unit).stream()
        .anyMatch(
            access ->
                access.getTargetOwner().isEquivalentTo(Guard.class)
                    && !access.getName().startsWith("recover"));
  }

  public void testAllWorkIsGuarded() {
    Set<String> found =
        violations(
            new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("io.quickscorer.plugin"));
    assertEquals(new TreeSet<>(ALLOWED), found);
  }

  public void testPlantedWaysAroundAreFound() {
    Set<String> found =
        violations(
            new ClassFileImporter()
                .importClasses(
                    Planted.class,
                    Planted.PlantedHandler.class,
                    Planted.PlantedStates.class,
                    Planted.PlantedFilter.class,
                    Planted.PlantedSearches.class));
    assertEquals(
        new TreeSet<>(
            Arrays.asList(
                "Planted.anotherClient calls Client.search",
                "Planted.error makes a StackOverflowError",
                "PlantedStates.clusterChanged is called by the server",
                "Planted.handedOver hands a callback to IndexShard.acquirePrimaryOperationPermit",
                "Planted.ownThread calls <init>",
                "Planted.poolOfTheServer calls generic",
                "Planted.scheduled calls schedule",
                "Planted.scheduled hands a callback to ThreadPool.schedule",
                "Planted.searches calls addSearchOperationListener",
                "Planted.searches makes a PlantedSearches",
                "Planted.step calls whenComplete",
                "PlantedFilter.apply hands a callback to ActionFilterChain.proceed",
                "PlantedFilter.apply is called by the server",
                "PlantedHandler.prepareRequest is called by the server")),
        found);
  }

  /** Each of these is one of the server's, so that a renamed one is not a rule without effect. */
  public void testTheRulesNameWhatIsThere() {
    List<Map<Class<?>, Set<String>>> rules = List.of(ENTRIES, REGISTRATIONS, FORBIDDEN);
    for (Map<Class<?>, Set<String>> rule : rules) {
      rule.forEach(
          (type, methods) -> {
            Set<String> known = new TreeSet<>(Set.of("<init>"));
            Arrays.stream(type.getMethods()).forEach(method -> known.add(method.getName()));
            for (Class<?> at = type; at != null; at = at.getSuperclass()) {
              Arrays.stream(at.getDeclaredMethods()).forEach(method -> known.add(method.getName()));
            }
            assertTrue(type + " " + methods, known.containsAll(methods));
          });
    }
  }
}
