// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.rescore;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.fielddata.LeafNumericFieldData;
import org.opensearch.index.fielddata.SortedBinaryDocValues;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;
import org.opensearch.index.mapper.DerivedFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.RangeFieldMapper;
import org.opensearch.index.query.QueryShardContext;

/**
 * Reads a hit's values of the field by which hits are grouped (collapsed). In each segment (a part
 * of the shard's index), documents must be read in ascending order. Used by one thread.
 */
final class GroupValues {
  private final @Nullable IndexFieldData<?> field;
  private @Nullable SortedNumericDocValues whole;
  private @Nullable SortedNumericDoubleValues floating;
  private @Nullable SortedBinaryDocValues bytes;

  /**
   * Prepares to read a field on a shard.
   *
   * @param field the field's name; if the index lacks it, documents have no values
   * @throws IllegalArgumentException (400) if the field has no doc values, or its values cannot
   *     group hits
   */
  GroupValues(String field, QueryShardContext shard) {
    MappedFieldType type = shard.fieldMapper(field);
    if (type != null
        && (type.unwrap() instanceof DerivedFieldType
            || type.unwrap() instanceof RangeFieldMapper.RangeFieldType)) {
      throw new IllegalArgumentException(
          "field ["
              + field
              + "] is of type ["
              + type.typeName()
              + "], whose values cannot group hits; collapse another field");
    }
    this.field = type == null ? null : shard.getForField(type);
  }

  /** Selects the segment whose documents are read next. */
  void setLeaf(LeafReaderContext leaf) {
    if (field == null) {
      return;
    }
    if (field instanceof IndexNumericFieldData numeric) {
      LeafNumericFieldData values = numeric.load(leaf);
      if (numeric.getNumericType().isFloatingPoint()) {
        floating = values.getDoubleValues();
      } else {
        whole = values.getLongValues();
      }
    } else {
      bytes = field.load(leaf).getBytesValues();
    }
  }

  /** Returns the distinct values of the field in the document with this id in the segment. */
  List<Object> of(int doc) throws IOException {
    Set<Object> values = new LinkedHashSet<>();
    if (whole != null && whole.advanceExact(doc)) {
      for (int i = whole.docValueCount(); i > 0; i--) {
        values.add(whole.nextValue());
      }
    } else if (floating != null && floating.advanceExact(doc)) {
      for (int i = floating.docValueCount(); i > 0; i--) {
        values.add(floating.nextValue());
      }
    } else if (bytes != null && bytes.advanceExact(doc)) {
      for (int i = bytes.docValueCount(); i > 0; i--) {
        values.add(BytesRef.deepCopyOf(bytes.nextValue()));
      }
    }
    return List.copyOf(values);
  }
}
