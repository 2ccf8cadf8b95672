// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature.kind;

import io.quickscorer.plugin.feature.ShardBinding;
import io.quickscorer.plugin.feature.WindowValues;
import io.quickscorer.plugin.feature.window.Segments;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.fielddata.FieldData;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.fielddata.IndexOrdinalsFieldData;
import org.opensearch.index.fielddata.NumericDoubleValues;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;
import org.opensearch.index.mapper.FlatObjectFieldMapper;
import org.opensearch.index.mapper.IpFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;

/** Reads doc values of a shard's fields. */
public final class FieldValues {
  private FieldValues() {}

  /**
   * @throws IllegalArgumentException if the field is not mapped, or can't be read in that way
   */
  static WindowValues of(String field, FieldReading reading, ShardBinding shard) {
    return switch (reading) {
      case FieldReading.Numbers numbers -> {
        IndexFieldData<?> data = data(field, "a number, date or boolean", shard);
        yield switch (data) {
          case IndexNumericFieldData numeric -> numbers(numeric, numbers.aggregate());
          case IndexOrdinalsFieldData keywords
              when numbers.aggregate() == Aggregate.COUNT && !isFlatObject(field, shard) ->
              keywords(keywords, Aggregate.COUNT, term -> 0);
          default -> throw wrong(field, "a number, date or boolean", shard, null);
        };
      }
      case FieldReading.Categories categories -> {
        Map<BytesRef, Integer> places = new HashMap<>();
        categories.names().forEach(name -> places.put(new BytesRef(name), places.size()));
        yield keywords(
            ordinals(field, shard),
            Aggregate.MIN,
            term -> {
              Integer place = places.get(term);
              return place == null ? Double.NaN : place;
            });
      }
      case FieldReading.Hash hash ->
          keywords(ordinals(field, shard), Aggregate.MIN, term -> hash(term, hash.modulus()));
    };
  }

  /** {@link FieldReading.Hash} of a term. */
  public static int hash(BytesRef term, int modulus) {
    return Integer.remainderUnsigned(StringHelper.murmurhash3_x86_32(term, 0), modulus);
  }

  private static IndexOrdinalsFieldData ordinals(String field, ShardBinding shard) {
    // The terms of an address are its bytes.
    if (isFlatObject(field, shard) || isOfType(IpFieldMapper.CONTENT_TYPE, field, shard)) {
      throw wrong(field, "a keyword", shard, null);
    }
    return data(field, IndexOrdinalsFieldData.class, "a keyword", shard);
  }

  /** The terms of such a field, and of what is in it, are those of the whole object, with paths. */
  private static boolean isFlatObject(String field, ShardBinding shard) {
    return isOfType(FlatObjectFieldMapper.CONTENT_TYPE, field, shard);
  }

  private static boolean isOfType(String type, String field, ShardBinding shard) {
    return shard.field(field).typeName().equals(type);
  }

  /**
   * A field's data of one kind.
   *
   * @param wanted the kind, for messages
   */
  static <T> T data(String field, Class<T> kind, String wanted, ShardBinding shard) {
    IndexFieldData<?> data = data(field, wanted, shard);
    if (!kind.isInstance(data)) {
      throw wrong(field, wanted, shard, null);
    }
    return kind.cast(data);
  }

  private static IndexFieldData<?> data(String field, String wanted, ShardBinding shard) {
    MappedFieldType type = shard.fieldOfHit(field);
    try {
      return shard.context().getForField(type);
    } catch (RuntimeException e) {
      throw wrong(field, wanted, shard, e);
    }
  }

  private static IllegalArgumentException wrong(
      String field, String wanted, ShardBinding shard, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "field ["
            + field
            + "] is of type ["
            + shard.field(field).typeName()
            + "], expected "
            + wanted
            + " with doc values",
        cause);
  }

  private static WindowValues numbers(IndexNumericFieldData field, Aggregate aggregate) {
    return (searcher, window, out) ->
        Segments.forEach(
            searcher,
            window,
            (segment, from, to) -> {
              SortedNumericDoubleValues values = field.load(segment).getDoubleValues();
              NumericDoubleValues single = FieldData.unwrapSingleton(values);
              if (single != null && aggregate != Aggregate.COUNT) {
                for (int i = from; i < to; i++) {
                  out[i] =
                      single.advanceExact(window.docs()[i] - segment.docBase)
                          ? single.doubleValue()
                          : Double.NaN;
                }
                return;
              }
              for (int i = from; i < to; i++) {
                out[i] =
                    values.advanceExact(window.docs()[i] - segment.docBase)
                        ? one(values, aggregate)
                        : aggregate.ofNone();
              }
            });
  }

  /** Values come in ascending order, unless they are unsigned. */
  private static double one(SortedNumericDoubleValues values, Aggregate aggregate)
      throws IOException {
    int count = values.docValueCount();
    if (aggregate == Aggregate.COUNT) {
      return count;
    }
    double sum = aggregate.start();
    for (int v = 0; v < count; v++) {
      sum = aggregate.add(sum, values.nextValue());
    }
    return aggregate.finish(sum, count);
  }

  /**
   * Terms' numbers are kept by ordinal, which is good for one segment.
   *
   * @param number NaN for a term that counts as none
   */
  private static WindowValues keywords(
      IndexOrdinalsFieldData field, Aggregate aggregate, ToDoubleFunction<BytesRef> number) {
    return (searcher, window, out) ->
        Segments.forEach(
            searcher,
            window,
            (segment, from, to) -> {
              SortedSetDocValues values = field.load(segment).getOrdinalsValues();
              Map<Long, Double> known = new HashMap<>();
              Arrays.fill(out, from, to, aggregate.ofNone());
              for (int i = from; i < to; i++) {
                if (values.advanceExact(window.docs()[i] - segment.docBase)) {
                  out[i] =
                      aggregate == Aggregate.COUNT
                          ? values.docValueCount()
                          : least(values, known, number);
                }
              }
            });
  }

  private static double least(
      SortedSetDocValues values, Map<Long, Double> known, ToDoubleFunction<BytesRef> number)
      throws IOException {
    double least = Double.NaN;
    int count = values.docValueCount();
    for (int v = 0; v < count; v++) {
      long ordinal = values.nextOrd();
      Double one = known.get(ordinal);
      if (one == null) {
        one = number.applyAsDouble(values.lookupOrd(ordinal));
        known.put(ordinal, one);
      }
      if (!(one >= least)) {
        least = Double.isNaN(one) ? least : one;
      }
    }
    return least;
  }
}
