// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import io.quickscorer.plugin.door.BoundedContent;
import io.quickscorer.plugin.door.Door;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ByteVectorValues;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FloatVectorValues;
import org.apache.lucene.index.KnnVectorValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.query.QueryShardContext;

/**
 * The vectors in one field of this plugin's type {@code quickscorer_vector} or the k-NN plugin's
 * {@code knn_vector}. The classes of the k-NN plugin are not accessible. So the properties of a
 * {@code knn_vector} field are read from the mapping, and its vectors from Lucene: from vector
 * values, or from binary doc values if the field has no k-NN index.
 *
 * @param field the field's name in Lucene
 * @param length the number of elements of a vector, or {@link #UNKNOWN}
 * @param element the type of the elements
 * @param order the byte order of floats in binary doc values
 */
record StoredVectors(String field, int length, Element element, ByteOrder order) {
  static final String KNN_TYPE = "knn_vector";

  /**
   * The {@code length} of a field whose mapping names a model of the k-NN plugin instead of the
   * number of elements.
   */
  static final int UNKNOWN = -1;

  private static final int MAX_MAPPING_BYTES = 1 << 20;

  enum Element {
    FLOAT,
    /** A whole number from -128 to 127. */
    BYTE,
    /** Eight bits, written as a whole number from -128 to 127. */
    BINARY
  }

  /** Reads the vectors in one segment (a part of a shard's index). Used by one thread. */
  interface Reader {
    /**
     * Reads the vector of a document into an array, if the document has one. Documents must be read
     * in ascending order.
     *
     * @return whether the document has a vector
     */
    boolean read(int doc, float[] vector) throws IOException;
  }

  /**
   * Returns an object that reads the vectors in a field.
   *
   * @throws IllegalArgumentException if the field has no vectors, or vectors that can't be read
   */
  static StoredVectors of(MappedFieldType type, QueryShardContext context) {
    if (type instanceof VectorFieldMapper.Type own) {
      return new StoredVectors(
          own.name(), own.dimension(), Element.FLOAT, VectorFieldMapper.BYTE_ORDER);
    }
    if (!type.typeName().equals(KNN_TYPE)) {
      throw new IllegalArgumentException(
          "field ["
              + type.name()
              + "] is of type ["
              + type.typeName()
              + "], expected "
              + VectorFieldMapper.TYPE
              + " or "
              + KNN_TYPE);
    }
    Map<?, ?> mapping =
        mapping(context.getMapperService().documentMapper().mappers().getMapper(type.name()));
    Element element = element(type.name(), mapping.get("data_type"));
    int dimension = mapping.get("dimension") instanceof Number n ? n.intValue() : UNKNOWN;
    int length = dimension > 0 && element == Element.BINARY ? dimension / Byte.SIZE : dimension;
    return new StoredVectors(
        type.name(), length > 0 ? length : UNKNOWN, element, ByteOrder.BIG_ENDIAN);
  }

  private static Element element(String field, @Nullable Object dataType) {
    // The mapping may contain the type in capitals or in lower case.
    Element element =
        dataType == null
            ? Element.FLOAT
            : EnumNames.find(Element.class, dataType.toString().toLowerCase(Locale.ROOT));
    if (element == null) {
      throw new IllegalArgumentException(
          "field ["
              + field
              + "] has data_type ["
              + dataType
              + "], expected one of "
              + EnumNames.all(Element.class));
    }
    return element;
  }

  /** Returns a field's mapping as a map, as {@code GET _mapping} shows it. */
  private static Map<?, ?> mapping(Mapper mapper) {
    BytesReference json =
        BoundedContent.json(
            MAX_MAPPING_BYTES,
            builder -> {
              builder.startObject();
              mapper.toXContent(builder, ToXContent.EMPTY_PARAMS);
              builder.endObject();
            });
    Map<String, Object> named = Door.ownMap(MediaTypeRegistry.JSON, json);
    return (Map<?, ?>) named.values().iterator().next();
  }

  /**
   * Checks that a vector of the request can be compared with the field's vectors.
   *
   * @throws IllegalArgumentException if its length is wrong. Also if the field stores bits, and an
   *     element is not a whole number from -128 to 127
   */
  void check(float[] vector) {
    if (length != UNKNOWN && length != vector.length) {
      throw wrongLength(length, vector.length);
    }
    for (int i = 0; element == Element.BINARY && i < vector.length; i++) {
      if (vector[i] != (byte) vector[i]) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "field [%s] has data_type binary: number %d of the request's vector is %s, expected"
                    + " a whole number from -128 to 127",
                field,
                i,
                vector[i]));
      }
    }
  }

  private IllegalArgumentException wrongLength(int stored, int asked) {
    return new IllegalArgumentException(
        element == Element.BINARY
            ? String.format(
                Locale.ROOT,
                "field [%s] has dimension %d (%d bytes), but the vector of the request has %d"
                    + " numbers",
                field,
                stored * Byte.SIZE,
                stored,
                asked)
            : String.format(
                Locale.ROOT,
                "field [%s] has dimension %d, but the vector of the request has %d numbers",
                field,
                stored,
                asked));
  }

  /**
   * Returns a reader of the vectors in one segment (a part of a shard's index).
   *
   * @param asked the number of elements of the vector in the request
   * @throws IllegalArgumentException if the segment's vectors have a different length
   */
  Reader open(LeafReader segment, int asked) throws IOException {
    FieldInfo info = segment.getFieldInfos().fieldInfo(field);
    if (info == null) {
      return (doc, vector) -> false;
    }
    if (!info.hasVectorValues()) {
      return binary(segment.getBinaryDocValues(field), asked);
    }
    if (info.getVectorDimension() != asked) {
      throw wrongLength(info.getVectorDimension(), asked);
    }
    return switch (info.getVectorEncoding()) {
      case FLOAT32 -> floats(segment.getFloatVectorValues(field));
      case BYTE -> bytes(segment.getByteVectorValues(field));
    };
  }

  private static Reader floats(FloatVectorValues values) {
    KnnVectorValues.DocIndexIterator docs = values.iterator();
    return (doc, vector) -> {
      if (!isAt(docs, doc)) {
        return false;
      }
      System.arraycopy(values.vectorValue(docs.index()), 0, vector, 0, vector.length);
      return true;
    };
  }

  private static Reader bytes(ByteVectorValues values) {
    KnnVectorValues.DocIndexIterator docs = values.iterator();
    return (doc, vector) -> {
      if (!isAt(docs, doc)) {
        return false;
      }
      copy(values.vectorValue(docs.index()), 0, vector);
      return true;
    };
  }

  private static boolean isAt(KnnVectorValues.DocIndexIterator docs, int doc) throws IOException {
    return (docs.docID() < doc ? docs.advance(doc) : docs.docID()) == doc;
  }

  private static void copy(byte[] from, int offset, float[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = from[offset + i];
    }
  }

  private Reader binary(@Nullable BinaryDocValues values, int asked) {
    int width = element == Element.FLOAT ? Float.BYTES : 1;
    return (doc, vector) -> {
      if (values == null || !values.advanceExact(doc)) {
        return false;
      }
      BytesRef bytes = values.binaryValue();
      if (bytes.length != asked * width) {
        throw wrongLength(bytes.length / width, asked);
      }
      if (element == Element.FLOAT) {
        VectorFieldMapper.decode(bytes, order, vector);
      } else {
        copy(bytes.bytes, bytes.offset, vector);
      }
      return true;
    };
  }
}
