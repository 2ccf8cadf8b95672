package io.quickscorer.plugin.feature;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOBooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Looks terms up in a memory first; moves in the dictionary only when it must. */
final class SharedTermsEnum extends FilterLeafReader.FilterTermsEnum {
  private static final int TERMS_PER_CHECK = 1 << 12;

  private final Map<BytesRef, Known> memory;
  private final Cancellation cancellation;

  /** The term this stands on, while the dictionary's own enum does not; else null. */
  private @Nullable Known remembered;

  private int walked;

  SharedTermsEnum(TermsEnum in, Map<BytesRef, Known> memory, Cancellation cancellation) {
    super(in);
    this.memory = memory;
    this.cancellation = cancellation;
  }

  @Override
  public boolean seekExact(BytesRef text) throws IOException {
    Known known = memory.get(text);
    return known == null ? learn(text, in.seekExact(text)) : remember(known);
  }

  @Override
  public @Nullable IOBooleanSupplier prepareSeekExact(BytesRef text) throws IOException {
    Known known = memory.get(text);
    if (known != null) {
      return known.state() == null ? null : () -> remember(known);
    }
    IOBooleanSupplier found = in.prepareSeekExact(text);
    if (found == null) {
      learn(text, false);
      return null;
    }
    return () -> learn(text, found.get());
  }

  private boolean remember(Known known) {
    remembered = known.state() == null ? null : known;
    return remembered != null;
  }

  /** Takes down where the dictionary's enum now stands. */
  private boolean learn(BytesRef text, boolean found) throws IOException {
    remembered = null;
    BytesRef term = BytesRef.deepCopyOf(text);
    memory.put(
        term,
        found
            ? new Known(term, in.termState(), in.docFreq(), in.totalTermFreq())
            : new Known(term, null, 0, 0));
    return found;
  }

  /** Moves the dictionary's enum to where this stands. */
  private void move() throws IOException {
    Known known = remembered;
    if (known != null) {
      remembered = null;
      in.seekExact(known.term(), known.state());
    }
  }

  @Override
  public void seekExact(BytesRef term, TermState state) throws IOException {
    remembered = null;
    in.seekExact(term, state);
  }

  @Override
  public void seekExact(long ord) throws IOException {
    remembered = null;
    in.seekExact(ord);
  }

  @Override
  public SeekStatus seekCeil(BytesRef text) throws IOException {
    remembered = null;
    return in.seekCeil(text);
  }

  @Override
  public @Nullable BytesRef next() throws IOException {
    move();
    if (++walked % TERMS_PER_CHECK == 0) {
      cancellation.check();
    }
    return in.next();
  }

  @Override
  public BytesRef term() throws IOException {
    return remembered == null ? in.term() : remembered.term();
  }

  @Override
  public long ord() throws IOException {
    move();
    return in.ord();
  }

  @Override
  public int docFreq() throws IOException {
    return remembered == null ? in.docFreq() : remembered.documents();
  }

  @Override
  public long totalTermFreq() throws IOException {
    return remembered == null ? in.totalTermFreq() : remembered.occurrences();
  }

  @Override
  public TermState termState() throws IOException {
    return remembered == null || remembered.state() == null ? in.termState() : remembered.state();
  }

  @Override
  public PostingsEnum postings(@Nullable PostingsEnum reuse, int flags) throws IOException {
    move();
    return in.postings(reuse, flags);
  }

  @Override
  public ImpactsEnum impacts(int flags) throws IOException {
    move();
    return in.impacts(flags);
  }
}
