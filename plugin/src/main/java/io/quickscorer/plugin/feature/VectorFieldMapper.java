// SPDX-License-Identifier: Apache-2.0
package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.index.mapper.Mapper;
import org.opensearch.index.mapper.ParametrizedFieldMapper;
import org.opensearch.index.mapper.ParseContext;
import org.opensearch.index.mapper.SourceValueFetcher;
import org.opensearch.index.mapper.TextSearchInfo;
import org.opensearch.index.mapper.ValueFetcher;
import org.opensearch.index.query.QueryShardContext;
import org.opensearch.index.query.QueryShardException;
import org.opensearch.search.lookup.SearchLookup;

/**
 * The field type {@code quickscorer_vector}: an array of floats per document, which features of
 * type {@code vector} read from doc values. Such a field can't be searched.
 */
public final class VectorFieldMapper extends ParametrizedFieldMapper {
  public static final String TYPE = "quickscorer_vector";

  static final ByteOrder BYTE_ORDER = ByteOrder.LITTLE_ENDIAN;

  private static final int MAX_DIMENSION = 16_384;

  private final int dimension;

  private VectorFieldMapper(
      String name, Type type, MultiFields multiFields, CopyTo copyTo, int dimension) {
    super(name, type, multiFields, copyTo);
    this.dimension = dimension;
  }

  /** Returns the parser of this field type in mappings; {@code dimension} is required. */
  public static Mapper.TypeParser parser() {
    return new TypeParser((name, context) -> new Builder(name));
  }

  private static final class Builder extends ParametrizedFieldMapper.Builder {
    private final Parameter<Integer> dimension =
        new Parameter<>(
                "dimension",
                false,
                () -> 0,
                (name, context, value) -> Integer.valueOf(String.valueOf(value)),
                mapper -> ((VectorFieldMapper) mapper).dimension)
            .setValidator(
                value -> {
                  if (value < 1 || value > MAX_DIMENSION) {
                    throw new IllegalArgumentException(
                        "[dimension] is " + value + ", expected 1 to " + MAX_DIMENSION);
                  }
                });
    private final Parameter<Map<String, String>> meta = Parameter.metaParam();

    Builder(String name) {
      super(name);
    }

    @Override
    protected List<Parameter<?>> getParameters() {
      return List.of(dimension, meta);
    }

    @Override
    public VectorFieldMapper build(BuilderContext context) {
      Type type = new Type(buildFullName(context), dimension.getValue(), meta.getValue());
      return new VectorFieldMapper(
          name,
          type,
          multiFieldsBuilder.build(this, context),
          copyTo.build(),
          dimension.getValue());
    }
  }

  /** The object with which features and queries access the field. */
  static final class Type extends MappedFieldType {
    private final int dimension;

    Type(String name, int dimension, Map<String, String> meta) {
      super(name, false, false, true, TextSearchInfo.NONE, meta);
      this.dimension = dimension;
    }

    int dimension() {
      return dimension;
    }

    @Override
    public String typeName() {
      return TYPE;
    }

    @Override
    public ValueFetcher valueFetcher(
        QueryShardContext context, SearchLookup lookup, String format) {
      return SourceValueFetcher.identity(name(), context, format);
    }

    @Override
    public Query existsQuery(QueryShardContext context) {
      return new FieldExistsQuery(name());
    }

    @Override
    public Query termQuery(Object value, QueryShardContext context) {
      throw new QueryShardException(
          context, "field [" + name() + "] of type [" + TYPE + "] can't be searched");
    }
  }

  @Override
  public boolean parsesArrayValue() {
    return true;
  }

  @Override
  protected void parseCreateField(ParseContext context) throws IOException {
    XContentParser parser = context.parser();
    if (parser.currentToken() == XContentParser.Token.VALUE_NULL) {
      return;
    }
    if (parser.currentToken() != XContentParser.Token.START_ARRAY) {
      throw wrong("expected an array of numbers");
    }
    if (context.doc().getField(name()) != null) {
      throw wrong("a document has several vectors, expected one");
    }
    float[] vector = new float[dimension];
    int size = 0;
    while (parser.nextToken() != XContentParser.Token.END_ARRAY) {
      if (parser.currentToken() != XContentParser.Token.VALUE_NUMBER) {
        throw wrong("element " + size + " is not a number");
      }
      float value = parser.floatValue();
      if (size == dimension || !Float.isFinite(value)) {
        throw wrong(
            size == dimension
                ? "the vector has more than " + dimension + " numbers"
                : "element " + size + " is not finite");
      }
      vector[size++] = value;
    }
    if (size < dimension) {
      throw wrong("the vector has " + size + " numbers, expected " + dimension);
    }
    context.doc().add(new BinaryDocValuesField(name(), encode(vector)));
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("field [" + name() + "]: " + what);
  }

  static BytesRef encode(float[] vector) {
    ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES).order(BYTE_ORDER);
    for (float value : vector) {
      bytes.putFloat(value);
    }
    return new BytesRef(bytes.array());
  }

  static void decode(BytesRef bytes, ByteOrder order, float[] vector) {
    ByteBuffer.wrap(bytes.bytes, bytes.offset, bytes.length)
        .order(order)
        .asFloatBuffer()
        .get(vector);
  }

  @Override
  public ParametrizedFieldMapper.Builder getMergeBuilder() {
    return new Builder(simpleName()).init(this);
  }

  @Override
  protected String contentType() {
    return TYPE;
  }
}
