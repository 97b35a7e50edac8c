/* What every model shares: tracking words, data, ranks, the configurations, the mutants and the oracles.
 *
 * A word is rank << 1 | locked, 0 = unclaimed, 1 = locked and nobody waits, as in stm/detail/hand_off.cuh. One step of a
 * thread is one access to shared memory; what it computes from the answer belongs to that step.
 *
 * Every switch is a macro, given as -D to spin (check.sh has the combinations that are checked):
 *   CONFIG=<name>    who opens what, see below
 *   LIVENESS         no data, no history: for non-progress cycles; else safety
 *   ENDLESS          liveness: an item that ends is followed by one of lower rank than all others, forever;
 *                    else each thread runs ITEMS items (default 1) and every fair run must end
 *   WATCH=<thread>   ENDLESS: progress = an item of this thread ends; else an item of any thread
 *   BOUNDED          a wait may end at any poll; else only with what it waits for (machines without maximum)
 *   GIVE_WAY         on a higher claim the attempt ends at once; else it waits in place
 *   UNVALIDATED      reads are not re-checked
 *   PAGED=<size>     objects are locked in groups (logs that do not fit a mask); else all at once
 *   PUBLICATIONS     a read looks at its claims only if a commit has counted itself since the last look (long logs)
 *   EACH=<size>      the list is opened by open_each, in groups, before the first read; with UNVALIDATED only
 *   CANCELS          an item may cancel after any of its reads; safety with UNVALIDATED: if all write alike, as PAIRS
 *   ENDS             an item may end unfinished after any failed attempt (watchdog, bound of attempts, overflow)
 *   VARIES           each attempt opens any subset of its list
 *   BLIND            the last object of a list is written without being read
 *   INNER            the first object is opened by the outer transaction, the others by an inner one
 *   LANES            a thread that is not the oldest may sit out, and then keeps no registration
 *   EAGER=<n>        the first n attempts of an item lock what they open and wait for nothing; with SEEKS those in which
 *                    every lane of the warp has such an attempt
 *   VERSIONS         eager attempts open by version and lock what they write, at once; what they only read they look at,
 *                    as others do at their claims on it (policy optimistic_hand_off)
 *   LATE             VERSIONS: they lock all that they opened, at commit (regions with an `apply`)
 *   IRREVOCABLE=<set> attempts of these threads, a bit for each, may become irrevocable before any of their operations, or the
 *                    commit: assert that they do not fail then, and that there is one at a time
 *   FUSED            a word and its datum are one cell: who locks it takes the datum, and leaves 0 in its place
 *   SEEKS            lanes of a warp wait for each other between the parts of an attempt, see lanes.pml
 *   COMPARE_EXCHANGE the maximum is a load and compare-exchange loop
 *   STRICT           assert that all reads of a commit are current when it has its locks, that a lock has one holder,
 *                    and that an attempt that begins as the highest rank, and is not eager, is lost by an expired wait
 *                    only; with IRREVOCABLE not that
 *   PAIRS            every item writes all objects of its list alike: assert that a region sees them equal
 *   MUTANT=<name>    one rule broken
 */

#define opposite         1  /* 2 threads: x y against y x */
#define same             2  /* 2 threads: both x y */
#define ring             3  /* 3 threads, pairs in a ring: y x, z y, x z */
#define ascending        4  /* the same pairs, each in ascending order */
#define triples          5  /* 3 threads, all objects in rotated orders */
#define write_skew       6  /* 2 threads read x and y, each writes another */
#define three_on_two     7  /* 3 threads on x and y in mixed orders */
#define read_two         8  /* 3 threads, each reads two objects and writes one */
#define read_and_write   9  /* 2 threads on x y, one writes y, the other both */
#define read_only        12 /* 3 threads on x y, one writes nothing, the others both, in opposite orders */
#define crossed          10 /* 2 warps, an object a lane: each one's older lane and the other's younger want the same */
#define four_on_two      11 /* 2 warps of 2 lanes on x and y in opposite orders */
#ifndef CONFIG
#define CONFIG opposite
#endif
#if CONFIG == opposite || CONFIG == same || CONFIG == write_skew || CONFIG == read_and_write
#define THREADS 2
#elif CONFIG == crossed || CONFIG == four_on_two
#define THREADS 4
#else
#define THREADS 3
#endif

#define none                   0
#define lock_unchecked         1
#define release_before_write_back 2
#define steal_ignores_lock     3
#define roll_back_by_store     4
#define reads_not_locked       5
#define last_object_not_locked 6
#define lost_claim_retaken     7
#define equal_ranks            8
#define wait_skipped           9
#define release_drops_waiter   10
#define no_validation          11
#define forgotten_registration 12
#define withdraw_on_leave      13
#define inner_over_locked      14
#define give_back_granted_only 15
#define no_withdrawal_at_end   16
#define cancel_unchecked       17
#define locks_before_plans     18   /* SEEKS: a lane locks without waiting for its warp's plans */
#define leaves_alone           19   /* SEEKS: a lane whose plan fails comes to none of the attempt's meetings */
#define eager_lock_kept        20   /* EAGER: a failed attempt does not free what it locked */
#define eager_waits            21   /* EAGER: what is taken is waited for, under the locks held */
#define eager_forever          22   /* EAGER: no attempt claims */
#define eager_beside_claims    23   /* EAGER, SEEKS: a lane's attempt is eager whatever the others of its warp do */
#define publication_uncounted  24   /* PUBLICATIONS: no commit counts itself */
#define publication_after_write 25  /* PUBLICATIONS: commits count themselves when all is written */
#define version_kept           26   /* VERSIONS: a commit raises none */
#define version_unchecked      27   /* VERSIONS: a lock is taken whatever version the object has by then */
#define irrevocable_without_token 28  /* IRREVOCABLE: no attempt takes the token */
#define token_kept             29   /* IRREVOCABLE: nor gives it back */
#define irrevocable_unlocked   30   /* IRREVOCABLE: an attempt becomes so without a lock on what it opened */
#define irrevocable_by_own_rank 31  /* IRREVOCABLE: and claims by its item's rank */
#define irrevocable_raises     32   /* IRREVOCABLE: it raises its claims to the top rank one by one in place of locks */
#define datum_after_word       33  /* FUSED: a release frees the word, and then writes the datum */
#define datum_not_given        34  /* FUSED: a claim that clears its bit leaves the datum out */
#define datum_left             35  /* FUSED: a lock leaves the datum where it is */
#define datum_uncompared       36  /* FUSED, COMPARE_EXCHANGE: the loop compares the word alone */
#ifndef MUTANT
#define MUTANT none
#endif

#define OBJECTS 3
#ifdef IRREVOCABLE
#define TOKEN 3                /* the launch's token, a word like those of objects */
#define NOTHING 4              /* no object */
#define WORDS 4
#else
#define NOTHING 3              /* no object */
#define WORDS OBJECTS
#endif
#define BIT(object) (1 << (object))

byte word[WORDS];
byte rank[THREADS + 1];        /* of each thread's present item: 1 = lowest */
byte alive;                    /* bit set: threads with an unfinished item */
#ifndef ITEMS
#define ITEMS 1
#endif
#if (defined(COMPARE_EXCHANGE) || defined(PRIORITY_RULE)) && (defined(ENDLESS) || ITEMS > 1)
#error a word that a thread keeps as `expected` is not renumbered: one item a thread only
#endif

#if defined(EACH) && (!defined(UNVALIDATED) || defined(COMPARE_EXCHANGE))
#error open_each makes groups only where reads are not validated and there is an atomic maximum
#endif
#if defined(EACH) && (defined(BLIND) || defined(INNER) || defined(LANES))
#error not modeled together
#endif

#if defined(SEEKS) && (defined(INNER) || defined(CANCELS) || defined(COMPARE_EXCHANGE) || defined(PRIORITY_RULE))
#error not modeled together
#endif

#if defined(EAGER) && (defined(PRIORITY_RULE) || (defined(COMPARE_EXCHANGE) && !defined(FUSED)))
#error not modeled together
#endif

#if defined(IRREVOCABLE) && (defined(PRIORITY_RULE) || defined(EAGER) || defined(EACH) || defined(PUBLICATIONS))
#error not modeled together
#endif

#if defined(FUSED) && (defined(PRIORITY_RULE) || defined(VERSIONS) || defined(EACH) || defined(BLIND))
#error not modeled together
#endif
#if defined(FUSED) && defined(COMPARE_EXCHANGE)
#if defined(IRREVOCABLE) || defined(SEEKS)
#error not modeled together
#endif
#define EXCHANGES_CELLS
#endif

#ifdef VERSIONS
#ifndef EAGER
#error only eager attempts look at versions
#endif
#if defined(EACH) || defined(SEEKS) || defined(LANES) || defined(PUBLICATIONS)
#error not modeled together
#endif
#endif

#if MUTANT == equal_ranks       /* all of them */
#define RANK 1
#else
#define RANK rank[me]
#endif
/* The eager attempts that the item has made. */
#ifdef SEEKS
#define TRIES tries[me]
#else
#define TRIES tries
#endif
#ifdef IRREVOCABLE
#define TOP ((THREADS + 1) << 1)   /* of a claim above all ranks */
#define IS_IRREVOCABLE irrevocable
#define MAY_ASK (!irrevocable && (IRREVOCABLE & BIT(me)))
byte irrevocables;             /* attempts that are */
#else
#define IS_IRREVOCABLE false
#endif
#if defined(IRREVOCABLE) && MUTANT != irrevocable_by_own_rank
#define OWN (irrevocable -> TOP : RANK << 1)
#else
#define OWN (RANK << 1)
#endif
#define LOCK (OWN | 1)         /* of a claim that stands behind a lock, or is being made */
#ifdef PRIORITY_RULE
#define LOCKED LOCK            /* by a holder */
#else
#define LOCKED 1
#endif

/* What a look at a word tells: all that the protocol asks of its value. Kept in place of the value, because ranks are
 * renumbered when an item ends. */
#define FREE         0
#define LOWER        1         /* a lower claim, unlocked */
#define LOWER_LOCKED 2         /* a lower rank's lock, or one without claimant */
#define MINE         3
#define MINE_LOCKED  4
#define HIGHER       5         /* a higher claim, locked or not */
#define LOOK(v) ((v) == 0 -> FREE : ((v) == OWN -> MINE : ((v) == LOCK -> MINE_LOCKED : \
                 ((v) > OWN -> HIGHER : (((v) & 1) -> LOWER_LOCKED : LOWER)))))

/* Every claim of the attempt still stands. Words are looked at one by one in the code; one step stands for all, see
 * README.md. */
#if MUTANT == wait_skipped
#define STANDS(object) ((held & BIT(object)) == 0 || (word[object] >> 1) == RANK)
#elif defined(IRREVOCABLE)
#define STANDS(object) ((held & BIT(object)) == 0 || (locked & BIT(object)) || word[object] == OWN)
#else
#define STANDS(object) ((held & BIT(object)) == 0 || word[object] == OWN)
#endif
#define INTACT (STANDS(0) && STANDS(1) && STANDS(2))

#ifdef VERSIONS
/* What an eager attempt opened and did not lock is as it was. Looked at one by one in the code, the word before the version. */
#ifdef LIVENESS
#define HAS_ITS_VERSION(object) true
#else
byte version[OBJECTS];
#define HAS_ITS_VERSION(object) (version[object] == seen_version[object])
#endif
#define IS_AS_IT_WAS(object) (!(held & BIT(object)) || (locked & BIT(object)) || \
                              (!(word[object] & 1) && HAS_ITS_VERSION(object)))
#define AS_IT_WAS (IS_AS_IT_WAS(0) && IS_AS_IT_WAS(1) && IS_AS_IT_WAS(2))
#define ALL_STANDS ((eager && AS_IT_WAS) || (!eager && INTACT))
/* What an attempt that claims did not lock. */
#define IS_LOCKED_OR_STANDS(object) ((locked & BIT(object)) || STANDS(object))
#define CLAIMS_STAND (IS_LOCKED_OR_STANDS(0) && IS_LOCKED_OR_STANDS(1) && IS_LOCKED_OR_STANDS(2))
#else
#define ALL_STANDS INTACT
#endif

#ifdef PUBLICATIONS
byte publications;             /* commits that had all their locks */
#endif

#ifndef LIVENESS
#ifdef FUSED
byte data[WORDS] = 1;          /* what the cell has in place of a datum: the version, or 0 */
byte current[WORDS] = 1;       /* the last version that was committed */
#else
byte data[OBJECTS];            /* the version is the value */
#endif
byte holders[OBJECTS];         /* how many hold the lock */
#if ITEMS == 1
#define HISTORY
byte read_version[(THREADS + 1) * OBJECTS];   /* by the thread's committed item; version + 1, 0 = not accessed */
byte wrote_version[(THREADS + 1) * OBJECTS];
#endif
#endif

/* A maximum of cells as a loop: what it compares beside the word. Without data a commit's release leaves another datum. */
#ifdef EXCHANGES_CELLS
#ifdef LIVENESS
byte stamp[OBJECTS];
#define DATUM(object) (word[object] & 1 -> 0 : stamp[object])
#define CHANGES_DATUM if :: ending -> stamp[o]++ :: else fi
#else
#define DATUM(object) data[object]
#define CHANGES_DATUM skip
#endif
#define EXPECTS expected = word[o]; expected_datum = DATUM(o)
#if MUTANT == datum_uncompared
#define IS_EXPECTED (word[o] == expected)
#define TAKES_EXPECTED TAKES_DATUM; value[o] = expected_datum
#else
#define IS_EXPECTED (word[o] == expected && DATUM(o) == expected_datum)
#define TAKES_EXPECTED TAKES_DATUM
#endif
#define FORGETS expected = 0; expected_datum = 0
#else
#define CHANGES_DATUM skip
#define TAKES_EXPECTED TAKES_DATUM
#endif

/* FUSED: a step that locks a cell takes its datum, one that frees it adds the datum, and one that meets a claim sees it. */
#if defined(FUSED) && !defined(LIVENESS)
#define SEES_DATUM value[o] = data[o]
#if MUTANT == datum_left
#define TAKES_DATUM SEES_DATUM
#else
#define TAKES_DATUM SEES_DATUM; data[o] = 0
#endif
#define GIVES_DATUM data[o] = data[o] + value[o]
#define HAS_DATUM(object, datum) (data[object] == (datum))
#else
#define SEES_DATUM skip
#define TAKES_DATUM skip
#define GIVES_DATUM skip
#define HAS_DATUM(object, datum) true
#endif

/* What was read is of one state, where every item writes all objects of its list alike. `todo`: not read yet. */
#ifdef LIVENESS
inline assert_one_state() { skip }
#else
#define IS_KNOWN(object) (held & BIT(object) && !(todo & BIT(object)))
#define ALIKE(a, b) (!IS_KNOWN(a) || !IS_KNOWN(b) || value[a] == value[b])
inline assert_one_state() { assert(ALIKE(0, 1) && ALIKE(0, 2) && ALIKE(1, 2)) }
#endif

/* Where an attempt that claims fails for another reason than an expired wait: one that began as the highest rank never
 * comes here. */
#if defined(STRICT) && !defined(PRIORITY_RULE) && !defined(IRREVOCABLE)
#define NOT_THE_TOP assert(!top)
#else
#define NOT_THE_TOP skip
#endif

/* An unfinished item of this thread is older than the present one. */
#define OLDER(thread) ((alive & BIT(thread)) && rank[thread] > rank[me])
#define SOMEBODY_OLDER (OLDER(1) || OLDER(2) || OLDER(THREADS - 1) || OLDER(THREADS))

#if !defined(ENDLESS)
#define PROGRESS skip
#elif defined(WATCH)
#define PROGRESS if :: me == WATCH -> progress: skip :: else fi
#else
#define PROGRESS progress: skip
#endif

/* The item has ended: no word may carry its rank any more. The thread's next item gets a lower rank: ENDLESS the lowest
 * of all; else any, since a thread's positions rise in a launch and those of others may lie between. Ranks and words
 * are renumbered, so that ranks stay 1..THREADS. */
inline next_item() {
#if MUTANT != equal_ranks
  assert((word[0] >> 1) != RANK && (word[1] >> 1) != RANK && (word[2] >> 1) != RANK);
#ifdef IRREVOCABLE
  assert((word[TOKEN] >> 1) != RANK);
#endif
#endif
#ifdef ENDLESS
  o = 1;
#else
  items++;
  if
  :: items == ITEMS -> alive = alive & (255 - BIT(me)); goto done
  :: else
  fi;
  o = rank[me];
  do
  :: o > 1 -> o--
  :: break
  od;
#endif
  for (todo : 1 .. THREADS) {
    if
    :: rank[todo] >= o && rank[todo] < rank[me] -> rank[todo]++
    :: else
    fi
  };
  for (todo : 0 .. WORDS - 1) {
    if
    :: (word[todo] >> 1) >= o && (word[todo] >> 1) < rank[me] -> word[todo] = word[todo] + 2
    :: else
    fi
  };
  rank[me] = o;
#ifdef EAGER
  TRIES = 0;
#endif
  todo = 0; o = 0; ending = false
}
