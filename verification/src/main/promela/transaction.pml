/* A thread that runs items (stm/region.cuh) as transactions (stm/transaction.cuh) over the policy of the including
 * file, the check of the history, and the configurations.
 *
 * With EAGER an item's first attempts lock what they open (`try_lock`, `try`) and go on to the commit with these locks
 * (`has_locks`). What is checked of them is what is checked of all: serializable, opaque (PAIRS), nothing left claimed,
 * and every item ends. No attempt waits that has a lock, eager or not, and after the last eager one an item is live as it
 * would be without: its claims find locks that are left soon, and registrations that no eager attempt can take.
 *
 * With VERSIONS these attempts open by version (`look_at_version`), read what nobody keeps for them, lock what they write
 * (`lock_written`) or, LATE, all of it at commit, and look once more at the rest. So do the commits of attempts that claim, at
 * their claims (`look_at_claims`). The model has what such a commit read current at that look, or, where it wrote nothing, of
 * one state (PAIRS, the history). Where LIVENESS leaves versions out, an eager attempt's look may fail at any time.
 *
 * With IRREVOCABLE an attempt opens the launch's token as it opens objects, locks it and what it has opened; what it opens
 * afterwards it claims by the top rank. It never comes to `failed` or `roll_back` then. */

#define LENGTH (third != NOTHING -> 3 : (second != NOTHING -> 2 : 1))
#define OBJECT(place) ((place) == 0 -> first : ((place) == 1 -> second : third))
#define WITHOUT(set, object) ((set) & (255 - BIT(object)))
/* Takes the next object, in the order of the list, out of a set. */
#define TAKE_LISTED(set) \
  o = ((set) & BIT(first) -> first : ((set) & BIT(second) -> second : third)); set = WITHOUT(set, o)
/* The same in the order in which the objects were opened. */
#ifdef EACH
#define TAKE(set) \
  o = ((set) & BIT(opened[0]) -> opened[0] : ((set) & BIT(opened[1]) -> opened[1] : opened[2])); set = WITHOUT(set, o)
#define LISTED (BIT(first) | BIT(second) | (third == NOTHING -> 0 : BIT(third)))
#else
#define TAKE(set) TAKE_LISTED(set)
#endif
/* The object is the transaction's. */
inline opens() {
#ifdef EACH
  opened[place] = o;
#endif
  forget(); held = held | BIT(o); place++
}

/* Which objects the commit locks. */
#if MUTANT == reads_not_locked || (defined(VERSIONS) && !defined(LATE))
#define TO_LOCK (held & writes)
#elif MUTANT == last_object_not_locked
#define TO_LOCK WITHOUT(held, OBJECT(LENGTH - 1))
#elif defined(IRREVOCABLE)
#define TO_LOCK (held & (255 - locked))
#else
#define TO_LOCK held
#endif

/* What follows a plan that ends with a commit, one that fails, and an attempt. */
#ifdef SEEKS
#include "lanes.pml"
#define PLANNED planned
#define FAILED planned
#else
#define PLANNED lock
#define FAILED roll_back
#endif

/* Counts an exchange of a group of `most`, with `left` to make; then `group` is 0 if the group has ended. */
#define COUNT_EXCHANGE(left, most) group = (group + 1 == (most) || !(left) -> 0 : group + 1)
#ifndef PAGED
#define PAGED OBJECTS
#endif

/* Goes where object o is opened. */
#ifdef VERSIONS
#define OPEN if :: eager -> goto look_at_version :: else -> goto open fi
#elif defined(EAGER)
#define OPEN if :: eager -> goto try_lock :: else -> goto open fi
#else
#define OPEN goto open
#endif

/* What the region does next: opens an object, reads, ends with a verdict. */
#ifdef EACH
inline next_operation() {
  if
  :: others -> TAKE_LISTED(others); OPEN
  :: !others && todo -> goto try
  :: else ->
#ifdef LIVENESS
     next_verdict()
#else
     todo = held; goto read
#endif
  fi
}
inline next_verdict() {
  if
#ifdef CANCELS
  :: ending = true; goto cancel
#endif
#ifndef LIVENESS
  :: todo -> goto read
#endif
  :: !todo -> todo = TO_LOCK; goto PLANNED
  fi
}
#else
inline next_operation() {
  if
#ifdef IRREVOCABLE
#if MUTANT == irrevocable_without_token
  :: MAY_ASK -> todo = held; goto lock_opened
#else
  :: MAY_ASK -> o = TOKEN; goto open
#endif
#endif
  :: place < LENGTH -> o = OBJECT(place); OPEN
#ifdef VARIES
  :: place + 1 < LENGTH -> place++; o = OBJECT(place); OPEN
#endif
#ifdef CANCELS
  :: held != 0 && !IS_IRREVOCABLE -> ending = true; goto cancel
#endif
  :: place == LENGTH -> todo = TO_LOCK; goto PLANNED
#ifdef VARIES
  :: place < LENGTH && held != 0 -> todo = TO_LOCK; goto PLANNED
#endif
  fi
}
#endif

/* After a rollback. */
inline end_of_attempt() {
#ifdef VERSIONS
  whole = false;
#endif
#ifdef EACH
  opened[0] = NOTHING; opened[1] = NOTHING; opened[2] = NOTHING;
#endif
#if defined(EAGER) && MUTANT != eager_forever
  if
  :: eager -> TRIES++; eager = false
  :: else -> TRIES = EAGER
  fi;
#endif
#ifdef SEEKS
  goto ended
#else
  if
  :: ending -> goto item_ends
  :: else -> goto attempt
  fi
#endif
}

/* After the locks are released: of a commit, or of one that failed and has claims left to give back. */
inline released() {
#ifdef IRREVOCABLE
  if
  :: irrevocable -> goto free_token
  :: else
  fi;
#endif
#if MUTANT == release_before_write_back
  if
  :: ending -> goto write
  :: else
  fi;
#endif
  if
  :: held -> goto roll_back
  :: else
  fi;
  end_of_attempt()
}

#ifdef BLIND
#define IS_READ(object) ((object) != OBJECT(LENGTH - 1))
#else
#define IS_READ(object) true
#endif
#define READ(thread) read_version[(thread) * OBJECTS + o]
#define WROTE(thread) wrote_version[(thread) * OBJECTS + o]

/* The serialization point has passed: nobody else can write what is locked. `held` becomes what a mutant left
 * unlocked. */
inline committed() {
  ending = true;
#ifndef LIVENESS
#if MUTANT == inner_over_locked
  held = held | locked;
#endif
#ifdef BLIND
  o = OBJECT(LENGTH - 1);
  value[o] = data[o];
#endif
#ifdef STRICT
  for (o : 0 .. OBJECTS - 1) {
#ifdef VERSIONS
    assert(!eager || !(held & writes & BIT(o)) || (locked & BIT(o)));
    assert(!(held & BIT(o)) || locked == 0 || (value[o] == data[o] && (holders[o] == 1 || !(locked & BIT(o)))))
#else
#ifdef FUSED
    assert(!(held & BIT(o)) || (value[o] == current[o] && data[o] == 0 && holders[o] == 1))
#else
    assert(!(held & BIT(o)) || (value[o] == data[o] && holders[o] == 1))
#endif
#endif
  }
#endif
#ifdef HISTORY
  for (o : 0 .. OBJECTS - 1) {
    if
    :: (held & BIT(o)) && IS_READ(o) -> READ(me) = value[o] + 1
    :: else
    fi;
    if
    :: held & writes & BIT(o) -> WROTE(me) = value[o] + 2
    :: else
    fi
  }
#endif
#ifdef FUSED
  /* The release writes. */
  for (o : 0 .. OBJECTS - 1) {
    if
    :: held & writes & BIT(o) -> value[o] = value[o] + 1; current[o] = value[o]
    :: else
    fi
  };
#else
  todo = held & writes;
#endif
#endif
#ifdef VERSIONS
  if
  :: eager -> held = 0
  :: else
  fi;
#endif
  held = held & (255 - locked); o = 0
}

#ifdef LIVENESS
#define READ_DATUM
#define LOCKS_ONE skip
#define FREE_LOCK unlock()
#else
#ifdef FUSED
#define READ_DATUM skip
#else
#define READ_DATUM value[o] = data[o]
#endif
#define LOCKS_ONE holders[o]++
#define FREE_LOCK holders[o]--; unlock()
#endif

/* What an attempt writes to the word of an object that nobody has, and how it gives back what it opened. */
#ifdef EAGER
#define TAKE_WORD if :: eager -> word[o] = LOCKED; LOCKS_ONE; TAKES_DATUM :: else -> word[o] = OWN fi
#ifdef VERSIONS
#if MUTANT == eager_lock_kept
#define FREES_LOCK locked = WITHOUT(locked, o)
#else
#define FREES_LOCK FREE_LOCK; locked = WITHOUT(locked, o)
#endif
#define GIVE_BACK \
  if :: eager && (locked & BIT(o)) -> FREES_LOCK :: eager && !(locked & BIT(o)) :: !eager -> give_back() fi
#elif MUTANT == eager_lock_kept
#define GIVE_BACK if :: eager :: else -> give_back() fi
#else
#define GIVE_BACK if :: eager -> FREE_LOCK :: else -> give_back() fi
#endif
#else
#define TAKE_WORD word[o] = OWN
#define GIVE_BACK give_back()
#endif

proctype thread(byte me, first, second, third, writes) {
  byte place;                    /* in the access list */
  byte o;                        /* the object there, or the one a loop is at */
  byte seen;                     /* what the last look at a word told */
  byte held;                     /* bit set: objects opened in this attempt */
  byte locked;                   /* bit set: objects locked */
  byte todo;                     /* bit set: what a loop has left */
  byte items;                    /* that have ended */
  byte group;                    /* exchanges made of the present group */
#ifdef PUBLICATIONS
  byte looked_at;                /* `publications` before the last look at all claims */
  byte now;                      /* what it is at this one */
#endif
#ifdef EACH
  byte opened[OBJECTS] = NOTHING;   /* the objects of `held`, in the order of the log */
  byte taken;                    /* bit set: objects of the present group that nobody had */
  byte others;                   /* bit set: and the others, to be opened one by one */
#endif
  bool registered;               /* the claim in progress stands behind a lock */
  bool ending;                   /* the item ends with this attempt */
#ifdef IRREVOCABLE
  bool irrevocable;              /* the attempt */
#endif
#ifdef VERSIONS
  bool whole;                    /* the attempt fails as a whole: by a lock that it met, or in the outer transaction */
#endif
#ifdef EAGER
  bool eager;                    /* the attempt locks what it opens */
#ifndef SEEKS
  byte tries;                    /* eager attempts that the item has made */
#endif
#endif
#ifdef SEEKS
  byte met;                      /* the attempt's last meeting */
#ifdef BOUNDED
  bool polled;                   /* the present wait, registered or not, has no more polls */
#endif
#endif
#ifdef PRIORITY_RULE
  byte expected;
#else
#ifdef COMPARE_EXCHANGE
  byte expected;
#endif
#ifdef EXCHANGES_CELLS
  byte expected_datum;           /* beside `expected` */
#endif
  byte kept = NOTHING, kept2 = NOTHING;   /* remembered registrations, the older one first */
  byte oldest = NOTHING;                  /* the one that is being withdrawn */
#endif
#ifdef STRICT
  bool top;                      /* the attempt began as the highest rank */
#endif
#ifndef LIVENESS
#ifdef FUSED
  byte value[WORDS];             /* with the holder or claimant, by object */
  byte fetched;                  /* of what is being withdrawn */
#else
  byte value[OBJECTS];           /* read, by object */
#endif
#ifdef VERSIONS
  byte seen_version[OBJECTS];    /* under which it was opened */
#endif
#endif

attempt:
#ifdef SEEKS
  atomic {
    runs[me] = true;
#ifdef LANES
    if
    :: SOMEBODY_OLDER -> runs[me] = false
    :: true
    fi;
#endif
    begin_round()
  }
  HAVE_MET;
#endif
  atomic {
    place = 0;
#ifdef EAGER
#if defined(SEEKS) && MUTANT != eager_beside_claims
    eager = TRIES < EAGER && (!together[me] || tries[MATE] < EAGER);
#else
    eager = TRIES < EAGER;
#endif
#endif
#ifdef STRICT
    top = (rank[me] == THREADS);
#endif
#ifdef LANES
    /* may_run: of the lanes of a warp the oldest always runs. */
    if
#ifdef SEEKS
    :: runs[me] -> next_operation()
    :: !runs[me] -> skip
#else
    :: true -> next_operation()
    :: SOMEBODY_OLDER -> skip
#endif
    fi
#else
#ifdef EACH
    todo = LISTED;
#ifdef VARIES
    for (o : 0 .. OBJECTS - 1) {
      if
      :: todo & (todo - 1) -> todo = WITHOUT(todo, o)
      :: skip
      fi
    };
    o = 0;
#endif
#endif
    next_operation()
#endif
  }
#ifdef LANES
  withdraw_all();
  goto attempt;
#endif

#ifdef EACH
try:
  atomic {
    TAKE_LISTED(todo);
    if
    :: word[o] == 0 ->
       TAKE_WORD; taken = taken | BIT(o)
    :: else -> others = others | BIT(o)
    fi;
    COUNT_EXCHANGE(todo, EACH);
    if
    :: group -> goto try
    :: else
    fi;
    do
    :: taken -> TAKE_LISTED(taken); opens()
    :: else -> break
    od;
    next_operation()
  }
#endif

#ifdef VERSIONS
  /* versions_then_claims::open of an eager attempt: the version, then the word. A claim is passed by. */
look_at_version:
#ifndef LIVENESS
  atomic { seen_version[o] = version[o] }
#endif
  atomic {
    if
#if MUTANT != steal_ignores_lock
    :: word[o] & 1 -> whole = true; goto failed
#endif
    :: else -> opens()
    fi
  }
  /* read: the datum, then all that was opened. */
#ifndef LIVENESS
  atomic { READ_DATUM }
#endif
  atomic {
#if !defined(UNVALIDATED) && MUTANT != no_validation
    if
    :: AS_IT_WAS
    :: !AS_IT_WAS -> whole = (o == first); goto failed
#ifdef LIVENESS
    :: true -> whole = (o == first); goto failed
#endif
    fi;
#endif
#ifdef PAIRS
    assert_one_state();
#endif
#ifndef LATE
    if
    :: writes & BIT(o) -> goto lock_written
    :: else
    fi;
#endif
    next_operation()
  }
#ifndef LATE
  /* versions_then_claims::lock. */
lock_written:
  atomic {
    if
    :: word[o] == 0 -> word[o] = LOCKED; LOCKS_ONE; locked = locked | BIT(o)
    :: else -> whole = true; goto failed
    fi
  }
  atomic {
#if MUTANT != version_unchecked
    if
    :: HAS_ITS_VERSION(o)
    :: !HAS_ITS_VERSION(o) -> goto unlock_changed
#ifdef LIVENESS
    :: true -> goto unlock_changed
#endif
    fi;
#endif
    next_operation()
  }
unlock_changed:
  atomic { FREE_LOCK; locked = WITHOUT(locked, o); whole = (o == first); goto failed }
#endif
#elif defined(EAGER)
  /* transaction::open of an eager attempt: nobody has the object, or the attempt fails. */
try_lock:
#ifdef EXCHANGES_CELLS
  atomic {
    EXPECTS;
    if
    :: expected -> FORGETS; goto failed
    :: else
    fi
  }
exchange_free:
  atomic {
    if
    :: word[o] == 0 && !IS_EXPECTED -> EXPECTS; goto exchange_free
    :: else -> FORGETS
    fi;
#else
  atomic {
#endif
    if
    :: word[o] == 0 -> TAKE_WORD; opens()
#if MUTANT == eager_waits
    :: else -> goto try_lock
#else
    :: else -> goto failed
#endif
    fi;
#if defined(EACH) || defined(LIVENESS)
    next_operation()
  }
#else
  }
  /* Nobody else can have written it: one look is enough. */
  atomic {
    READ_DATUM;
#ifdef PAIRS
    assert_one_state();
#endif
    next_operation()
  }
#endif
#endif

open:
  claim();
claimed:
#ifdef EACH
  atomic { opens(); registered = false; seen = FREE; next_operation() }
#ifndef LIVENESS
read:
  atomic { TAKE(todo); READ_DATUM; next_verdict() }
#endif
#else
  atomic {
#ifdef IRREVOCABLE
    if
    :: o == TOKEN -> forget(); registered = false; seen = FREE; goto lock_token
    :: else
    fi;
#endif
    opens(); registered = false; seen = FREE; READ_DATUM
  }
  atomic {
#if MUTANT == inner_over_locked
    if
    :: place == 1 && word[o] == OWN -> word[o] = LOCKED; locked = BIT(o); held = 0
    :: place == 1 && word[o] != OWN -> goto failed
    :: else
    fi;
#endif
#ifdef PUBLICATIONS
    /* still_intact: the number of commits first, then the words. */
    now = publications;
    if
    :: now == looked_at || !IS_READ(o) -> goto intact
    :: else
    fi
  }
  atomic {
#endif
#if !defined(UNVALIDATED) && MUTANT != no_validation
    if
    :: INTACT || !IS_READ(o) -> skip
    :: else -> NOT_THE_TOP; goto failed
    fi;
#endif
#ifdef PUBLICATIONS
    looked_at = now;
  }
intact:
  atomic {
#endif
#ifdef PAIRS
    assert_one_state();
#endif
    next_operation()
  }
#endif

#ifdef IRREVOCABLE
  /* claims::become_irrevocable: the token is claimed; it is locked, and then what was opened, as at a commit. */
lock_token:
  atomic {
    if
    :: word[TOKEN] == OWN -> word[TOKEN] = LOCKED
    :: else -> goto failed
    fi;
    todo = held; o = 0
  }
lock_opened:
  atomic {
    if
#if MUTANT == irrevocable_unlocked
    :: todo -> todo = 0
#elif MUTANT == irrevocable_raises
    :: todo ->
       TAKE(todo);
       if
       :: word[o] == OWN -> word[o] = TOP; locked = locked | BIT(o)
       :: else -> seen = HIGHER
       fi
#else
    :: todo ->
       TAKE(todo);
       if
       :: word[o] == OWN && HAS_DATUM(o, value[o]) -> word[o] = LOCKED; TAKES_DATUM; LOCKS_ONE; locked = locked | BIT(o)
       :: else -> seen = HIGHER     /* stolen; the others of the group are under way nevertheless */
       fi
#endif
    :: else
    fi;
    COUNT_EXCHANGE(todo, PAGED);
    if
    :: group || (todo && seen == FREE) -> goto lock_opened
    :: else
    fi;
    if
    :: seen != FREE -> seen = FREE; held = held & (255 - locked); todo = 0; o = 0
    :: else ->
       o = 0; irrevocable = true; irrevocables++;
       assert(irrevocables == 1);
#if MUTANT == irrevocable_raises
       locked = 0;
#endif
       next_operation()
    fi
  }
unlock_opened:
  atomic {
    if
    :: locked ->
       TAKE(locked);
#if MUTANT == irrevocable_raises
       if
       :: word[o] == TOP -> word[o] = 0
       :: else
       fi;
#else
       FREE_LOCK;
#endif
       goto unlock_opened
#if MUTANT == irrevocable_without_token
    :: else -> goto failed
#else
    :: else -> word[TOKEN] = word[TOKEN] & 254; goto failed
#endif
    fi
  }
free_token:
  atomic {
#if MUTANT != token_kept && MUTANT != irrevocable_without_token
    word[TOKEN] = word[TOKEN] & 254;
#endif
    irrevocable = false; irrevocables--;
    end_of_attempt()
  }
#endif

failed:
  atomic {
    assert(!IS_IRREVOCABLE);
    registered = false; seen = FREE; o = 0;
#ifdef EACH
    todo = 0; others = 0;
#endif
#ifdef ENDS
    if
    :: ending = true
    :: skip
    fi;
#endif
#ifdef INNER
    if
#ifdef VERSIONS
    :: !ending && place > 0 && !whole ->
#elif defined(EAGER)
    :: !ending && place > 0 && !eager ->
#else
    :: !ending && place > 0 ->
#endif
       todo = WITHOUT(held, first);
       if
       :: todo -> goto give_back_inner
       :: else -> goto inner_failed
       fi
    :: else
    fi;
#endif
#if MUTANT == leaves_alone
    together[me] = false;
#endif
    goto FAILED
  }

#ifdef SEEKS
  /* `todo`: what is to be locked; nothing after a plan that failed. */
planned:
#if MUTANT == locks_before_plans
  if
  :: todo -> goto lock
  :: else
  fi;
#endif
  meet_up_to(AT_PLAN);
  if
  :: todo || IS_IRREVOCABLE -> goto lock
  :: else
  fi;
  meet_up_to(AT_LOCKS);
  goto roll_back;
#endif

#ifdef INNER
  /* transaction::inner: what the body opened is given back; tried again, within its bound, while the outer stands. */
give_back_inner:
  atomic {
#ifdef VERSIONS
    TAKE(todo); GIVE_BACK; held = WITHOUT(held, o);
#else
    TAKE(todo); give_back(); held = WITHOUT(held, o);
#endif
    if
    :: todo -> goto give_back_inner
    :: else
    fi
  }
inner_failed:
  atomic {
    if
#ifdef VERSIONS
    :: ALL_STANDS -> place = 1; next_operation()
#else
    :: INTACT -> place = 1; next_operation()
#endif
    :: true -> goto roll_back
    fi
  }
#endif

#ifdef CANCELS
cancel:
  atomic {
#ifdef UNVALIDATED
#if MUTANT != cancel_unchecked
    /* Every claim must be there to give back; one look here, because none comes back once it is gone. */
    if
    :: ALL_STANDS -> skip
#ifdef VERSIONS
    :: !(ALL_STANDS) -> todo = 0; ending = false; goto roll_back
#elif defined(EAGER)
    :: eager -> skip
    :: !(INTACT) && !eager -> todo = 0; ending = false; goto roll_back
#else
    :: else -> todo = 0; ending = false; goto roll_back
#endif
    fi;
#endif
    /* The decision rests on this. */
    assert_one_state();
    todo = 0;
#endif
    goto roll_back
  }
#endif

roll_back:
#ifdef IRREVOCABLE
  assert(!irrevocable);
#endif
#if MUTANT == inner_over_locked
  atomic {
    if
    :: locked -> TAKE(locked); unlock()
    :: else
    fi
  }
#endif
  atomic {
    if
    :: held ->
       TAKE(held); GIVE_BACK;
       if
       :: held -> goto roll_back
       :: else
       fi
    :: else
    fi;
    end_of_attempt()
  }

lock:
  atomic {
#ifdef VERSIONS
    if
    :: eager -> goto look_again
    :: !eager && !todo -> goto look_at_claims
    :: else
    fi;
#elif defined(EAGER)
    if
    :: eager -> todo = 0; locked = held; d_step { committed() }; goto has_locks
    :: else
    fi;
#endif
#ifdef IRREVOCABLE
    if
    :: !todo -> d_step { committed() }; goto has_locks   /* all was locked when it became irrevocable */
    :: else
    fi;
#endif
    TAKE(todo);
    if
#if MUTANT == lock_unchecked
    :: true ->
#elif MUTANT == lost_claim_retaken
    :: word[o] == OWN || (word[o] & 1) == 0 ->
#else
    :: word[o] == OWN && HAS_DATUM(o, value[o]) ->
#endif
       word[o] = LOCKED; TAKES_DATUM;
#ifndef LIVENESS
       holders[o]++;
#endif
       locked = locked | BIT(o)
    :: else -> assert(MUTANT != none || word[o] != OWN); seen = HIGHER     /* stolen; the others of the group are under way nevertheless */
    fi;
    COUNT_EXCHANGE(todo, PAGED);
    if
    :: group || (todo && seen == FREE) -> goto lock
    :: else
    fi;
    if
    :: seen != FREE ->
       NOT_THE_TOP;
       seen = FREE;
       held = todo | (held & (255 - TO_LOCK));   /* not tried; those tried are locked or stolen */
       todo = 0;
       if
       :: locked -> goto release
       :: else -> goto roll_back
       fi
#ifdef VERSIONS
    :: else
#else
    :: else -> d_step { committed() }
#endif
    fi;
#ifdef VERSIONS
    skip
  }
  /* versions_then_claims::prepare_claims. One look: no claim comes back once it is gone. */
look_at_claims:
  atomic {
#if MUTANT != reads_not_locked
    if
#ifdef UNVALIDATED
    :: !CLAIMS_STAND ->
#else
    :: locked && !CLAIMS_STAND ->
#endif
       NOT_THE_TOP;
       held = held & (255 - locked);
       if
       :: locked -> goto release
       :: else -> goto roll_back
       fi
    :: else
    fi;
#endif
    d_step { committed() };
    goto has_locks
  }
  /* versions_then_claims::prepare of an eager attempt. */
look_again:
#ifdef LATE
  atomic {
    if
    :: held & (255 - locked) ->
       todo = held & (255 - locked); TAKE(todo); todo = 0;
       if
       :: word[o] == 0 -> word[o] = LOCKED; LOCKS_ONE; locked = locked | BIT(o)
       :: else -> goto roll_back
       fi
    :: else -> goto all_locked
    fi
  }
  atomic {
    if
#if MUTANT != version_unchecked
    :: !HAS_ITS_VERSION(o) -> goto roll_back
#ifdef LIVENESS
    :: true -> goto roll_back
#endif
#endif
    :: HAS_ITS_VERSION(o) || MUTANT == version_unchecked -> goto look_again
    fi
  }
all_locked:
#endif
  atomic {
    todo = 0;
#if MUTANT != reads_not_locked
    if
#ifdef UNVALIDATED
    :: !AS_IT_WAS -> goto roll_back
#else
    :: locked && !AS_IT_WAS -> goto roll_back
#endif
#ifdef LIVENESS
    :: true -> goto roll_back
#endif
    :: else
    fi;
#endif
    d_step { committed() };
has_locks:
#elif defined(EAGER) || defined(IRREVOCABLE)
has_locks:
#endif
#ifdef PUBLICATIONS
    skip
  }
  atomic {
#if MUTANT != publication_uncounted && MUTANT != publication_after_write
    publications++;
#endif
#endif
#ifdef SEEKS
    applies[me] = true
  }
  meet_up_to(AT_LOCKS);
  if
  :: atomic { together[me] && applies[MATE] -> come_to(IN_APPLY) }
     HAVE_MET
  :: else
  fi;
  atomic {
#endif
#if defined(LIVENESS) || MUTANT == release_before_write_back
    goto release
#else
    if
    :: todo -> goto write
    :: else -> goto release
    fi
#endif
  }

#ifndef LIVENESS
write:
  atomic {
    TAKE(todo);
#ifdef VERSIONS
#if MUTANT != version_kept
    version[o]++
  }
  atomic {
#endif
#endif
    data[o] = value[o] + 1;
#if MUTANT == publication_after_write
    if
    :: !todo -> publications++
    :: else
    fi;
#endif
    if
    :: todo -> goto write
#if MUTANT == release_before_write_back
    :: else -> goto item_ends
#else
    :: else
#endif
    fi
  }
#endif

  /* unlock_all. `held`: what a failed commit did not try. */
release:
  atomic {
#ifdef VERSIONS
    if
    :: locked -> TAKE(locked); FREE_LOCK
    :: else                                /* it only read */
    fi;
#else
    TAKE(locked); FREE_LOCK; CHANGES_DATUM;
#endif
#if MUTANT == datum_after_word
    skip
  }
  atomic {
    GIVES_DATUM;
#endif
    if
    :: locked -> goto release
    :: else -> released()
    fi
  }

#ifdef SEEKS
  /* Those that a lock that failed left out, and the last one. */
ended:
  meet_up_to(AT_END);
  if
  :: ending -> goto item_ends
  :: else -> goto attempt
  fi;
#endif

item_ends:
  withdraw_all();
  PROGRESS;
  atomic {
    next_item();
    goto attempt
  }
done:
  skip
}

#ifdef HISTORY
/* Direct serialization graph of the committed items: an edge for two versions of one object (ww), for a version and who
 * read it or a later one (wr), for who read a version and who wrote a later one (rw). No item may come before
 * itself. */
proctype check() {
  bool before[(THREADS + 1) * (THREADS + 1)];
  byte a, b, via, o;
#define EDGE(from, to) before[(from) * (THREADS + 1) + (to)]

  (alive == 0);
  d_step {
    for (a : 1 .. THREADS) {
      for (b : 1 .. THREADS) {
        for (o : 0 .. OBJECTS - 1) {
          if
          :: a != b && WROTE(a) != 0 && WROTE(b) != 0 ->
             assert(WROTE(a) != WROTE(b));   /* lost update */
             EDGE(a, b) = EDGE(a, b) || WROTE(a) < WROTE(b)
          :: else
          fi;
          if
          :: a != b && WROTE(a) != 0 && READ(b) >= WROTE(a) -> EDGE(a, b) = true
          :: else
          fi;
          if
          :: a != b && READ(a) != 0 && READ(a) < WROTE(b) -> EDGE(a, b) = true
          :: else
          fi
        }
      }
    }
    for (via : 1 .. THREADS) {
      for (a : 1 .. THREADS) {
        for (b : 1 .. THREADS) {
          EDGE(a, b) = EDGE(a, b) || (EDGE(a, via) && EDGE(via, b))
        }
      }
    }
    for (a : 1 .. THREADS) { assert(!EDGE(a, a)) }
    assert(word[0] == 0 && word[1] == 0 && word[2] == 0);
#ifdef IRREVOCABLE
    assert(word[TOKEN] == 0)
#endif
  }
}
#endif

#define ALL 7
init {
  atomic {
    rank[1] = 1; rank[2] = 2;
    alive = BIT(1) | BIT(2);
#if THREADS >= 3
    rank[3] = 3;
    alive = alive | BIT(3);
#endif
#if THREADS == 4
    rank[4] = 4;
    alive = alive | BIT(4);
#endif
#if CONFIG == opposite
    run thread(1, 0, 1, NOTHING, ALL); run thread(2, 1, 0, NOTHING, ALL);
#elif CONFIG == same
    run thread(1, 0, 1, NOTHING, ALL); run thread(2, 0, 1, NOTHING, ALL);
#elif CONFIG == ring
    run thread(1, 0, 2, NOTHING, ALL); run thread(2, 2, 1, NOTHING, ALL); run thread(3, 1, 0, NOTHING, ALL);
#elif CONFIG == ascending
    run thread(1, 0, 2, NOTHING, ALL); run thread(2, 1, 2, NOTHING, ALL); run thread(3, 0, 1, NOTHING, ALL);
#elif CONFIG == triples
    run thread(1, 2, 0, 1, ALL); run thread(2, 1, 2, 0, ALL); run thread(3, 0, 1, 2, ALL);
#elif CONFIG == write_skew
    run thread(1, 0, 1, NOTHING, 2); run thread(2, 1, 0, NOTHING, 1);
#elif CONFIG == three_on_two
    run thread(1, 0, 1, NOTHING, ALL); run thread(2, 1, 0, NOTHING, ALL); run thread(3, 0, 1, NOTHING, ALL);
#elif CONFIG == read_two
    run thread(1, 2, 0, NOTHING, 4); run thread(2, 1, 2, NOTHING, 2); run thread(3, 0, 1, NOTHING, 1);
#elif CONFIG == read_and_write
    run thread(1, 0, 1, NOTHING, 2); run thread(2, 0, 1, NOTHING, ALL);
#elif CONFIG == read_only
    run thread(1, 0, 1, NOTHING, ALL); run thread(2, 1, 0, NOTHING, ALL); run thread(3, 0, 1, NOTHING, 0);
#elif CONFIG == crossed
    run thread(1, 1, NOTHING, NOTHING, ALL); run thread(3, 0, NOTHING, NOTHING, ALL);
    run thread(2, 0, NOTHING, NOTHING, ALL); run thread(4, 1, NOTHING, NOTHING, ALL);
#elif CONFIG == four_on_two
    run thread(1, 0, 1, NOTHING, ALL); run thread(3, 1, 0, NOTHING, ALL);
    run thread(2, 0, 1, NOTHING, ALL); run thread(4, 1, 0, NOTHING, ALL);
#endif
#ifdef HISTORY
    run check()
#endif
  }
}
