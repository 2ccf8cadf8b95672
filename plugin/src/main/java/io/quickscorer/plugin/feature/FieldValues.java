// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.ensemble.CategoryList;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.lucene.Lucene;
import org.opensearch.index.fielddata.FieldData;
import org.opensearch.index.fielddata.IndexFieldData;
import org.opensearch.index.fielddata.IndexNumericFieldData;
import org.opensearch.index.fielddata.IndexOrdinalsFieldData;
import org.opensearch.index.fielddata.NumericDoubleValues;
import org.opensearch.index.fielddata.SortedNumericDoubleValues;
import org.opensearch.index.mapper.FlatObjectFieldMapper;
import org.opensearch.index.mapper.KeywordFieldMapper;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.SemanticVersionFieldMapper;
import org.opensearch.search.DocValueFormat;

/** Creates readers of doc values (Lucene's storage of a field's values by document) on a shard. */
final class FieldValues {
  /** Estimated heap bytes of one category in a hash map, without its characters. */
  private static final int CATEGORY_BYTES = 128;

  private FieldValues() {}

  /**
   * Returns an object that computes one number per document of a shard from a field's values.
   *
   * @param reading how the number is computed
   * @throws IllegalArgumentException if the field is not mapped, or can't be read in that way
   */
  static ShardFeature.Source of(String field, FieldFeature.Reading reading, ShardBinding shard) {
    return switch (reading) {
      case FieldFeature.Reading.Numbers numbers -> {
        IndexFieldData<?> data = data(field, "a number, date or boolean", shard);
        yield switch (data) {
          case IndexNumericFieldData numeric -> numbers(numeric, numbers.aggregate());
          case IndexOrdinalsFieldData keywords
              when numbers.aggregate() == Aggregate.COUNT && !isFlatObject(field, shard) ->
              keywords(keywords, Aggregate.COUNT, term -> 0);
          default -> throw wrong(field, "a number, date or boolean", shard, null);
        };
      }
      case FieldFeature.Reading.Categories categories -> {
        Map<BytesRef, Integer> places = places(field, categories.names(), shard);
        yield keywords(
            ordinals(field, shard),
            Aggregate.MIN,
            term -> {
              Integer place = places.get(term);
              return place == null ? Double.NaN : place;
            });
      }
      case FieldFeature.Reading.NumberCategories categories -> {
        IndexNumericFieldData numbers =
            data(field, IndexNumericFieldData.class, "a number, date or boolean", shard);
        String type = shard.field(field).typeName();
        yield codes(numbers, Rounding.of(numbers, type), categories.numbers());
      }
      case FieldFeature.Reading.ModelCategories model ->
          throw new IllegalStateException(
              "internal error: [categories] is [model], but the feature is used without a model;"
                  + " report this as a bug");
      case FieldFeature.Reading.Hash hash ->
          keywords(ordinals(field, shard), Aggregate.MIN, term -> hash(term, hash.modulus()));
    };
  }

  /**
   * Returns the hash of a term, modulo {@code modulus}, as {@link FieldFeature.Reading.Hash}
   * describes it.
   */
  public static int hash(BytesRef term, int modulus) {
    return Integer.remainderUnsigned(StringHelper.murmurhash3_x86_32(term, 0), modulus);
  }

  /**
   * Returns the index of each category in {@code names}. The keys of the map are the terms that the
   * field indexes for the names, after its normalizer, as in a {@code terms} query.
   */
  private static Map<BytesRef, Integer> places(
      String field, List<String> names, ShardBinding shard) {
    Analyzer normaliser =
        shard.field(field).unwrap() instanceof KeywordFieldMapper.KeywordFieldType keyword
            ? keyword.getTextSearchInfo().getSearchAnalyzer()
            : Lucene.KEYWORD_ANALYZER;
    long bytes = 0;
    for (String name : names) {
      bytes += CATEGORY_BYTES + name.length();
    }
    shard.budget().charge(bytes, "<quickscorer categories of " + field + ">");
    Map<BytesRef, Integer> places = new HashMap<>();
    for (int place = 0; place < names.size(); place++) {
      String name = names.get(place);
      BytesRef term =
          normaliser.equals(Lucene.KEYWORD_ANALYZER)
              ? new BytesRef(name)
              : normaliser.normalize(field, name);
      Integer other = places.putIfAbsent(term, place);
      if (other != null) {
        throw new IllegalArgumentException(
            "[categories] lists ["
                + names.get(other)
                + "] and ["
                + name
                + "], but the normalizer of field ["
                + field
                + "] makes them equal; use a field without a normalizer");
      }
    }
    return places;
  }

  private static IndexOrdinalsFieldData ordinals(String field, ShardBinding shard) {
    IndexOrdinalsFieldData data = data(field, IndexOrdinalsFieldData.class, "a keyword", shard);
    // Fields with a display format are not text: IP addresses, versions, collation keys.
    if (isFlatObject(field, shard)
        || isOfType(SemanticVersionFieldMapper.CONTENT_TYPE, field, shard)
        || !DocValueFormat.RAW.equals(shard.field(field).docValueFormat(null, null))) {
      throw wrong(field, "a keyword", shard, null);
    }
    return data;
  }

  /**
   * Returns whether a field is a {@code flat_object} or a part of one. The doc values of such a
   * field contain the terms of the whole object, with their paths.
   */
  private static boolean isFlatObject(String field, ShardBinding shard) {
    return isOfType(FlatObjectFieldMapper.CONTENT_TYPE, field, shard);
  }

  private static boolean isOfType(String type, String field, ShardBinding shard) {
    return shard.field(field).typeName().equals(type);
  }

  /**
   * Returns the field data of a field, cast to the given class.
   *
   * @param wanted describes the expected type of field, for messages
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

  private static ShardFeature.Source numbers(IndexNumericFieldData field, Aggregate aggregate) {
    return (searcher, window, out) ->
        window.forEachSegment(
            searcher,
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

  /**
   * Returns an object that converts a document's values to one number: the smallest of the values'
   * indices in {@code list}, or NaN if the list contains none of the values.
   */
  private static ShardFeature.Source codes(
      IndexNumericFieldData field, Rounding rounding, CategoryList list) {
    return (searcher, window, out) ->
        window.forEachSegment(
            searcher,
            (segment, from, to) -> {
              SortedNumericDoubleValues values = field.load(segment).getDoubleValues();
              for (int i = from; i < to; i++) {
                int smallest = CategoryList.NONE;
                int count =
                    values.advanceExact(window.docs()[i] - segment.docBase)
                        ? values.docValueCount()
                        : 0;
                for (int v = 0; v < count; v++) {
                  int code = rounding.code(list, values.nextValue());
                  smallest =
                      code == CategoryList.NONE || smallest >= 0 && smallest < code
                          ? smallest
                          : code;
                }
                out[i] = smallest == CategoryList.NONE ? Double.NaN : smallest;
              }
            });
  }

  /** Combines the values of one document into one number; {@code values} is at this document. */
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
   * Returns an object that converts each document's terms to numbers, and combines these into one
   * number. The number of each distinct term is computed once per segment.
   *
   * @param number returns a term's number, or NaN for a term to ignore
   */
  private static ShardFeature.Source keywords(
      IndexOrdinalsFieldData field, Aggregate aggregate, ToDoubleFunction<BytesRef> number) {
    return (searcher, window, out) ->
        window.forEachSegment(
            searcher,
            (segment, from, to) -> {
              SortedSetDocValues values = field.load(segment).getOrdinalsValues();
              Map<Long, Double> numbers = new HashMap<>();
              Arrays.fill(out, from, to, aggregate.ofNone());
              for (int i = from; i < to; i++) {
                if (values.advanceExact(window.docs()[i] - segment.docBase)) {
                  out[i] =
                      aggregate == Aggregate.COUNT
                          ? values.docValueCount()
                          : smallest(values, numbers, number);
                }
              }
            });
  }

  private static double smallest(
      SortedSetDocValues values, Map<Long, Double> numbers, ToDoubleFunction<BytesRef> number)
      throws IOException {
    double smallest = Double.NaN;
    int count = values.docValueCount();
    for (int v = 0; v < count; v++) {
      long ordinal = values.nextOrd();
      Double value = numbers.get(ordinal);
      if (value == null) {
        value = number.applyAsDouble(values.lookupOrd(ordinal));
        numbers.put(ordinal, value);
      }
      if (!(value >= smallest)) {
        smallest = Double.isNaN(value) ? smallest : value;
      }
    }
    return smallest;
  }
}
