/* Policy priority_rule (stm/detail/priority_rule.cuh) under transaction.pml, for comparison. Priorities are written as in
 * objects.pml, rank << 1 | locked, which keeps every comparison that the policy makes. */
#define PRIORITY_RULE
#include "objects.pml"

inline forget() { skip }
inline withdraw_all() { skip }

inline give_back() {
#if MUTANT == roll_back_by_store
  word[o] = 0
#else
  if
  :: word[o] == OWN -> word[o] = 0
  :: else
  fi
#endif
}

/* An exchange. */
inline unlock() { word[o] = 0 }

/* claim, of object o: "mark" of the thesis's Algorithm 3.3. Goes to `claimed` or `failed`. */
inline claim() {
  atomic {
    expected = word[o];
    if
#if MUTANT == steal_ignores_lock
    :: LOOK(expected) == HIGHER -> expected = 0; goto failed
#else
    :: (expected & 1) || LOOK(expected) == HIGHER -> expected = 0; goto failed
#endif
    :: else
    fi
  }
  atomic {
    if
    :: word[o] == expected -> word[o] = OWN; seen = MINE
    :: else -> seen = HIGHER
    fi;
    expected = 0;
    if
    :: seen == MINE -> goto claimed
    :: else -> goto failed
    fi
  }
}

#include "transaction.pml"
