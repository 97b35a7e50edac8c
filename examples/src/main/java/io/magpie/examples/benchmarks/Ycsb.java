package io.magpie.examples.benchmarks;

import io.magpie.stm.Device;
import io.magpie.stm.DeviceArray;
import io.magpie.stm.Fields;
import io.magpie.stm.RegionReport;
import io.magpie.stm.StmObjects;
import io.magpie.stm.StmOptions;
import io.magpie.verification.check.SerializabilityChecker;
import io.magpie.verification.history.Access;
import io.magpie.verification.history.History;
import io.magpie.verification.history.HistoryBuilder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Transactions of several requests, each of which reads a record or updates one of its fields.
 *
 * @param records their number
 * @param fields of a record
 * @param transactions their number
 * @param requests of a transaction
 * @param reads percentage of requests that read
 * @param zipf how much more often some records are drawn than others
 * @param seed of all draws
 */
record Ycsb(
    int records, int fields, int transactions, int requests, int reads, double zipf, long seed)
    implements Benchmark {
  /** In place of a field: all are read. */
  private static final int ALL = -1;

  /** In place of a version: what the transaction itself had written. */
  private static final int OWN = -1;

  static Ycsb of(WorkloadSpec spec) {
    Ycsb ycsb =
        new Ycsb(
            spec.count("records", "1M", 1, 1 << 26),
            spec.count("fields", "10", 1, 64),
            spec.count("transactions", "1M", 1, 1 << 26),
            spec.count("requests", "10", 1, 64),
            spec.percent("reads", "50"),
            spec.decimal("zipf", spec.byContention("0", "0.8", "0.99"), 0, 0.99),
            spec.seed());
    long all = (long) ycsb.transactions * ycsb.requests;
    if (all > 1 << 29) {
      throw spec.bad(
          "transactions="
              + ycsb.transactions
              + " of requests="
              + ycsb.requests
              + " make "
              + all
              + " requests: expected at most "
              + (1 << 29)
              + "; ask for fewer");
    }
    if ((long) ycsb.records * ycsb.fields > 1 << 30) {
      throw spec.bad(
          "records="
              + ycsb.records
              + " of fields="
              + ycsb.fields
              + ": expected at most "
              + (1 << 30)
              + " fields in all; ask for fewer");
    }
    return ycsb;
  }

  @Override
  public Instance generate() {
    SplittableRandom random = new SplittableRandom(seed);
    ScrambledKeys draws = new ScrambledKeys(records, zipf, random);
    int[] all = new int[2 * transactions * requests];
    for (int at = 0; at < all.length; at += 2) {
      all[at] = draws.next(random);
      all[at + 1] = random.nextInt(100) < reads ? ALL : random.nextInt(fields);
    }
    return new Table(records, fields, requests, all);
  }

  /**
   * The table before: every version and every field is 0.
   *
   * @param records their number
   * @param columns fields of a record
   * @param perItem requests of a transaction
   * @param requests of each two numbers: the record, and the field that is updated, or {@link #ALL}
   */
  record Table(int records, int columns, int perItem, int[] requests) implements Instance {
    int items() {
      return requests.length / 2 / perItem;
    }

    @Override
    public Map<String, Long> sizes() {
      Map<String, Long> sizes = new LinkedHashMap<>();
      sizes.put("records", (long) records);
      sizes.put("transactions", (long) items());
      sizes.put("requests", requests.length / 2L);
      return sizes;
    }

    @Override
    public void addTo(ContentHash hash) {
      hash.add(records, columns, perItem).add(requests);
    }

    @Override
    public Finished run(Device device, Synchronization how, StmOptions options) {
      try (OnDevice here = new OnDevice(device)) {
        DeviceArray<int[]> version = here.ints(records);
        DeviceArray<int[]> fields = here.ints((long) records * columns);
        DeviceArray<int[]> seen = here.ints(requests.length / 2);
        DeviceArray<int[]> sums = here.ints(requests.length / 2);
        StmObjects objects = here.objects(records);
        RegionReport report =
            here.load("benchmark_ycsb")
                .region("serve")
                .run(
                    options,
                    items(),
                    new Fields()
                        .set("version", version, objects)
                        .set("fields", fields, columns, objects)
                        .set("requests", here.copyOf(requests))
                        .set("per_item", perItem)
                        .set("seen", seen)
                        .set("sums", sums))
                .requireComplete();
        return Finished.of(
            report,
            new Result(this, version.toArray(), fields.toArray(), seen.toArray(), sums.toArray()));
      }
    }
  }

  /**
   * The table after.
   *
   * @param begun the table before, and what was asked
   * @param version of each record
   * @param fields row after row
   * @param seen the version that each request saw
   * @param sums the sum of the fields that each request saw that reads
   */
  record Result(Table begun, int[] version, int[] fields, int[] seen, int[] sums)
      implements CheckedResult {
    /**
     * What is wrong with it. The updates of a record must have seen the versions 0, 1, 2, ..., each
     * once. Done in that order they must leave what the record has, and each read must have seen
     * what was there at its version. Over all records the versions that transactions saw must fit
     * some order of the transactions.
     */
    @Override
    public Optional<String> mistake() {
      int[] versions = new int[begun.requests.length / 2];
      int[] first = new int[begun.records + 1];
      int requests = begun.requests.length / 2;
      for (int at = 0; at < requests; at++) {
        first[begun.requests[2 * at] + 1]++;
      }
      for (int record = 0; record < begun.records; record++) {
        first[record + 1] += first[record];
      }
      int[] next = first.clone();
      int[] byRecord = new int[requests];
      for (int at = 0; at < requests; at++) {
        byRecord[next[begun.requests[2 * at]]++] = at;
      }
      for (int record = 0; record < begun.records; record++) {
        int[] own = Arrays.copyOfRange(byRecord, first[record], first[record + 1]);
        Optional<String> wrong = wrong(record, own, versions);
        if (wrong.isPresent()) {
          return wrong;
        }
      }
      return wrongOrder(versions);
    }

    /**
     * What is wrong with one record.
     *
     * @param versions gets, of each request, the version it saw: a transaction makes only one
     */
    private Optional<String> wrong(int record, int[] requests, int[] versions) {
      int updates = 0;
      for (int at : requests) {
        updates += begun.requests[2 * at + 1] == ALL ? 0 : 1;
      }
      if (version[record] != updates) {
        return Optional.of(
            "record "
                + record
                + " has version "
                + version[record]
                + " after "
                + updates
                + " updates");
      }
      int[] inOrder = new int[updates]; // counted from 1
      for (int at : requests) {
        if (seen[at] < 0 || seen[at] > updates) {
          return Optional.of("request " + at + " saw version " + seen[at] + " of record " + record);
        }
        if (begun.requests[2 * at + 1] != ALL) {
          if (seen[at] == updates || inOrder[seen[at]] != 0) {
            return Optional.of(
                "two updates saw version " + seen[at] + " of record " + record + ": one is lost");
          }
          inOrder[seen[at]] = at + 1;
        }
      }
      int[] row = new int[begun.columns];
      int[] sumAt = new int[updates + 1];
      for (int i = 0; i < updates; i++) {
        int field = begun.requests[2 * (inOrder[i] - 1) + 1];
        sumAt[i + 1] = sumAt[i] - row[field] + inOrder[i];
        row[field] = inOrder[i];
      }
      for (int at : requests) {
        if (begun.requests[2 * at + 1] == ALL && sums[at] != sumAt[seen[at]]) {
          return Optional.of(
              "request "
                  + at
                  + " read fields of record "
                  + record
                  + " that are not those of version "
                  + seen[at]);
        }
      }
      int[] committed = new int[updates + 1];
      for (int i = 0; i < updates; i++) {
        boolean goesOn = i > 0 && item(inOrder[i] - 1) == item(inOrder[i - 1] - 1);
        committed[i + 1] = committed[i] + (goesOn ? 0 : 1);
      }
      for (int at : requests) {
        int i = seen[at];
        boolean own = i > 0 && item(inOrder[i - 1] - 1) == item(at);
        boolean isWithin = i > 0 && i < updates && committed[i] == committed[i + 1];
        if (isWithin && !own) {
          return Optional.of(
              "request "
                  + at
                  + " saw version "
                  + i
                  + " of record "
                  + record
                  + ", which a transaction left only in between");
        }
        versions[at] = own ? OWN : committed[i];
      }
      for (int column = 0; column < begun.columns; column++) {
        if (fields[record * begun.columns + column] != row[column]) {
          return Optional.of(
              "field "
                  + column
                  + " of record "
                  + record
                  + " does not have the value of its last update");
        }
      }
      return Optional.empty();
    }

    private int item(int request) {
      return request / begun.perItem;
    }

    /** By the versions that transactions saw of all records. */
    private Optional<String> wrongOrder(int[] versions) {
      HistoryBuilder history = new HistoryBuilder();
      long[] accesses = new long[2 * begun.perItem];
      for (int item = 0; item < begun.items(); item++) {
        int count = 0;
        int end = (item + 1) * begun.perItem;
        for (int at = item * begun.perItem; at < end; at++) {
          int record = begun.requests[2 * at];
          if (versions[at] == OWN) {
            continue;
          }
          accesses[count++] = Access.read(record, versions[at]);
          if (begun.requests[2 * at + 1] != ALL) {
            accesses[count++] = Access.write(record, versions[at]);
          }
        }
        history.add(item, 1, item, History.COMMIT, 0, 0, Arrays.copyOf(accesses, count));
      }
      return SerializabilityChecker.check(
              history.build(),
              SerializabilityChecker.Options.DEFAULT.withRealTime(false).withOpacity(false))
          .violation()
          .map(finding -> "no order of the transactions explains what they saw: " + finding);
    }
  }
}
