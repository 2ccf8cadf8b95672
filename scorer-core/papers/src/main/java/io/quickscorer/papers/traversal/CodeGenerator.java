// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.papers.traversal;

import io.quickscorer.ensemble.Tree;
import io.quickscorer.scorer.CompileProgress;
import io.quickscorer.scorer.UnsupportedEnsembleException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Generates the bytecode of some trees: a hidden class that implements {@link TreeCode}.
 *
 * <p>Tree t becomes a method {@code double leaf<t>(int[] keys, int stride, int document)} of nested
 * ifs. Subtrees of a large tree become separate methods, because the JIT does not compile methods
 * of more than 8,000 bytes.
 */
final class CodeGenerator {
  /** Maximum number of splits per generated method. A split with its leaf takes about 25 bytes. */
  private static final int SPLITS_PER_METHOD = 250;

  /** Maximum number of constants of a generated class. A Java class can have 65,535. */
  static final int MAX_CONSTANTS = 65_500;

  /** Maximum number of constants that a generated class needs in addition to those of its trees. */
  static final int CONSTANTS_PER_CLASS = 100;

  /**
   * Number of entries that each method adds to the constant pool of a class file: the method's
   * name, the entry for name and type, and the reference to the method.
   */
  private static final int CONSTANTS_PER_METHOD = 3;

  private static final ClassDesc SELF =
      ClassDesc.of(CodeGenerator.class.getPackageName(), "GeneratedTrees");
  private static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
  private static final ClassDesc DOUBLES = ConstantDescs.CD_double.arrayType();
  private static final MethodTypeDesc LEAF =
      MethodTypeDesc.of(ConstantDescs.CD_double, INTS, ConstantDescs.CD_int, ConstantDescs.CD_int);
  private static final MethodTypeDesc LEAVES =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          INTS,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          ConstantDescs.CD_int,
          DOUBLES);

  private final List<Tree> trees;
  private final int firstTree;
  private final OrderedColumns.Assignment columns;
  private final CompileProgress progress;
  private final int allTrees;
  private int methods;

  private CodeGenerator(
      List<Tree> trees,
      int firstTree,
      OrderedColumns.Assignment columns,
      CompileProgress progress,
      int allTrees) {
    this.trees = trees;
    this.firstTree = firstTree;
    this.columns = columns;
    this.progress = progress;
    this.allTrees = allTrees;
  }

  /** Returns an upper bound of the number of constants that the code of a tree needs. */
  static long maxConstants(Tree tree, OrderedColumns.Assignment columns) {
    int split = columns.columns().count() > Short.MAX_VALUE ? 2 : 1;
    if (tree.splits() > SPLITS_PER_METHOD) {
      split += CONSTANTS_PER_METHOD;
    }
    return 2L * CONSTANTS_PER_METHOD + (long) split * tree.splits() + 2L * tree.leaves();
  }

  /**
   * Returns the class file with the code of some trees.
   *
   * @param firstTree index of the first of these trees in the ensemble
   * @param allTrees number of trees of the ensemble, to report the progress
   * @throws UnsupportedEnsembleException if a tree has more constants than a class may have
   */
  static byte[] write(
      List<Tree> trees,
      int firstTree,
      OrderedColumns.Assignment columns,
      CompileProgress progress,
      int allTrees) {
    CodeGenerator generator = new CodeGenerator(trees, firstTree, columns, progress, allTrees);
    return ClassFile.of().build(SELF, generator::writeClass);
  }

  /** Loads a class file from {@link #write}, and returns an instance of the class. */
  static TreeCode load(byte[] file) {
    try {
      Class<?> code = MethodHandles.lookup().defineHiddenClass(file, true).lookupClass();
      return (TreeCode) code.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private void writeClass(ClassBuilder builder) {
    builder.withFlags(ClassFile.ACC_FINAL);
    builder.withInterfaceSymbols(
        ClassDesc.of(TreeCode.class.getPackageName(), TreeCode.class.getSimpleName()));
    builder.withMethodBody(
        ConstantDescs.INIT_NAME,
        ConstantDescs.MTD_void,
        0,
        code ->
            code.aload(0)
                .invokespecial(
                    ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                .return_());
    builder.withMethodBody(
        "exitLeaves",
        LEAVES.insertParameterTypes(0, ConstantDescs.CD_int),
        ClassFile.ACC_PUBLIC,
        this::writeSwitch);
    methods = trees.size();
    for (int t = 0; t < trees.size(); t++) {
      int tree = t;
      progress.report(firstTree + t, allTrees);
      builder.withMethodBody(
          "leaves" + t, LEAVES, ClassFile.ACC_STATIC, code -> writeLoop(code, tree));
      writeTree(builder, t);
    }
  }

  /**
   * Writes a switch over the trees: {@code switch (tree) { case t: leaves<t>(keys, stride, from,
   * to, leaves); return; }}.
   */
  private void writeSwitch(CodeBuilder code) {
    Label none = code.newLabel();
    List<SwitchCase> cases = new ArrayList<>();
    for (int t = 0; t < trees.size(); t++) {
      cases.add(SwitchCase.of(t, code.newLabel()));
    }
    code.iload(1).tableswitch(0, trees.size() - 1, none, cases);
    for (SwitchCase tree : cases) {
      code.labelBinding(tree.target());
      code.aload(2).iload(3).iload(4).iload(5).aload(6);
      code.invokestatic(SELF, "leaves" + tree.caseValue(), LEAVES).return_();
    }
    code.labelBinding(none).return_();
  }

  /**
   * Writes a loop over the documents: {@code for (d = from; d < to; d++) leaves[d - from] =
   * leaf<t>(keys, stride, d)}.
   */
  private static void writeLoop(CodeBuilder code, int tree) {
    int document = 5;
    Label test = code.newLabel();
    Label end = code.newLabel();
    code.iload(2).istore(document).labelBinding(test);
    code.iload(document).iload(3).if_icmpge(end);
    code.aload(4).iload(document).iload(2).isub();
    code.aload(0).iload(1).iload(document).invokestatic(SELF, "leaf" + tree, LEAF);
    code.dastore().iinc(document, 1).goto_(test);
    code.labelBinding(end).return_();
  }

  /**
   * A subtree that gets its own method.
   *
   * @param node the root of the subtree: the index of a split, or {@code ~i} for leaf i
   * @param method the number in the method's name, {@code leaf<method>}
   */
  private record Subtree(int node, int method) {}

  private void writeTree(ClassBuilder builder, int t) {
    Deque<Subtree> subtrees = new ArrayDeque<>();
    subtrees.add(new Subtree(trees.get(t).splits() == 0 ? ~0 : 0, t));
    while (!subtrees.isEmpty()) {
      Subtree subtree = subtrees.remove();
      builder.withMethodBody(
          "leaf" + subtree.method,
          LEAF,
          ClassFile.ACC_STATIC,
          code -> writeSubtree(code, t, subtree.node, subtrees));
    }
  }

  /**
   * A node for which no code has been written yet.
   *
   * @param node the index of a split, or {@code ~i} for leaf i
   * @param label the label of a jump to the node, or null if no jump leads to the node
   */
  private record Pending(int node, @Nullable Label label) {}

  private void writeSubtree(CodeBuilder code, int t, int root, Deque<Subtree> subtrees) {
    Tree tree = trees.get(t);
    Deque<Pending> stack = new ArrayDeque<>();
    stack.push(new Pending(root, null));
    int splits = 0;
    while (!stack.isEmpty()) {
      if (code.constantPool().size() > MAX_CONSTANTS) {
        throw new UnsupportedEnsembleException(
            "codegen: tree "
                + (firstTree + t)
                + " has "
                + tree.leaves()
                + " leaves, which need more constants than a class may have, "
                + MAX_CONSTANTS);
      }
      Pending pending = stack.pop();
      int node = pending.node;
      if (pending.label != null) {
        code.labelBinding(pending.label);
      }
      if (node < 0) {
        code.loadConstant(tree.leafValue(~node)).dreturn();
      } else if (splits == SPLITS_PER_METHOD) {
        subtrees.add(new Subtree(node, methods));
        code.aload(0).iload(1).iload(2).invokestatic(SELF, "leaf" + methods++, LEAF).dreturn();
      } else {
        splits++;
        Label right = code.newLabel();
        code.aload(0).loadConstant(columns.column(tree, node)).iload(1).imul();
        code.iload(2).iadd().iaload();
        code.loadConstant(OrderedColumns.bound(tree, node)).if_icmpgt(right);
        stack.push(new Pending(tree.right(node), right));
        stack.push(new Pending(tree.left(node), null));
      }
    }
  }
}
