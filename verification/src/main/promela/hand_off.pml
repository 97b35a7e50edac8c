/* Policy hand_off (stm/detail/hand_off.cuh) under transaction.pml. Run by check.sh; README.md maps steps to lines. */
#include "objects.pml"

/* registrations::forget. */
inline forget() {
  if
  :: kept == o -> kept = kept2; kept2 = NOTHING
  :: kept != o && kept2 == o -> kept2 = NOTHING
  :: else
  fi
}

/* registrations::remember; sets `oldest` to the one to withdraw, if there was no place left. */
inline remember() {
  if
  :: kept == o || kept2 == o -> skip
  :: kept == NOTHING -> kept = o
  :: kept != NOTHING && kept != o && kept2 == NOTHING -> kept2 = o
  :: else -> oldest = kept; kept = kept2; kept2 = o
  fi
}

inline give_back() {
#if MUTANT == roll_back_by_store
  word[o] = 0
#else
  if
  :: word[o] == OWN && HAS_DATUM(o, value[o]) -> word[o] = 0
  :: else -> assert(word[o] != OWN)
  fi
#endif
}

inline unlock() {
#if MUTANT == release_drops_waiter
  word[o] = 0
#else
  word[o] = word[o] & 254
#endif
#if MUTANT != datum_after_word
  ;
  GIVES_DATUM
#endif
}

/* The end of an item, or of a turn that a lane sits out: what is kept is withdrawn, one object at a time. */
inline withdraw_all() {
#if MUTANT == no_withdrawal_at_end
  kept = NOTHING; kept2 = NOTHING;
#endif
  do
  :: atomic {
       kept != NOTHING ->
       d_step { oldest = kept; kept = kept2; kept2 = NOTHING }
       withdraw()
     }
     give_back_withdrawn()
  :: else -> break
  od
}

/* withdraw of `oldest`: its first compare-exchange ... */
inline withdraw() {
#if MUTANT == give_back_granted_only
  seen = MINE
#else
  seen = LOOK(word[oldest]);
  if
  :: seen == MINE_LOCKED -> word[oldest] = 1
  :: else
  fi
#endif
#if defined(FUSED) && !defined(LIVENESS)
  ;
  fetched = data[oldest]
#endif
}
/* ... and its second, if the first saw a grant. */
inline give_back_withdrawn() {
  d_step {
    if
    :: seen == MINE && word[oldest] == OWN && HAS_DATUM(oldest, fetched) -> word[oldest] = 0
    :: else -> assert(seen != MINE || word[oldest] != OWN)
    fi;
#if defined(FUSED) && !defined(LIVENESS)
    fetched = 0;
#endif
    seen = FREE;
    oldest = NOTHING
  }
}

/* FUSED: a claim begins with it. */
#ifdef FUSED
#define MAXIMUM goto open
#else
#define MAXIMUM goto maximum
#endif

/* What to do about the word as last seen; entered after each access of `claim`. */
inline decide() {
  if
  :: seen == MINE -> SEES_DATUM; goto claimed
  :: seen == MINE_LOCKED -> goto waiting
  :: seen != MINE && seen != MINE_LOCKED && registered -> NOT_THE_TOP; forget(); goto failed
  :: seen == HIGHER && !registered -> goto waiting
  :: else -> MAXIMUM
  fi
}

/* Where lanes wait for each other, what a wait is for may be waiting for its end: polls run out. One that comes late
 * sees what the last of many does, so that one stands for all, and after a registration another one. */
#if defined(SEEKS) && defined(BOUNDED)
#define MAY_POLL (!polled || IS_IRREVOCABLE)
#define POLLED polled = true
#define FIRST_POLL polled = false
#else
#define MAY_POLL true
#define POLLED skip
#define FIRST_POLL skip
#endif

/* hand_off::claim of object o. Goes to `claimed` or `failed`. */
inline claim() {
#ifdef FUSED
  /* Maximum of `own | 1`. */
#ifdef EXCHANGES_CELLS
  atomic { EXPECTS }
exchange:
  atomic {
    if
    :: expected < LOCK && !IS_EXPECTED -> EXPECTS; goto exchange
    :: else
    fi;
    seen = LOOK(expected);
    if
    :: expected < LOCK && !(expected & 1) -> word[o] = LOCK; TAKES_EXPECTED
    :: expected < LOCK && (expected & 1) -> word[o] = LOCK
    :: else
    fi;
    FORGETS;
#else
  atomic {
    FIRST_POLL;
    seen = LOOK(word[o]);
    if
    :: word[o] < LOCK && !(word[o] & 1) -> word[o] = LOCK; TAKES_DATUM
    :: word[o] < LOCK && (word[o] & 1) -> word[o] = LOCK
    :: else
    fi;
#endif
    if
    :: seen == HIGHER -> goto waiting
    :: seen == LOWER_LOCKED || seen == MINE_LOCKED -> registered = true; seen = MINE_LOCKED; goto waiting
    :: else -> goto clear
    fi
  }
#else
  atomic {
    /* Compare-exchange 0 to own. */
    FIRST_POLL;
    seen = LOOK(word[o]);
    registered = (seen == MINE || seen == MINE_LOCKED);
    if
    :: seen == FREE -> word[o] = OWN; seen = MINE
    :: else
    fi;
    decide()
  }

maximum:
#ifdef COMPARE_EXCHANGE
  expected = word[o];
exchange:
  atomic {
    if
    :: expected < LOCK ->
       if
       :: word[o] == expected -> seen = LOOK(expected); word[o] = LOCK; expected = 0
       :: else -> expected = word[o]; goto exchange
       fi
    :: else -> seen = HIGHER; expected = 0
    fi;
#else
  atomic {
    seen = LOOK(word[o]);
    if
    :: word[o] < LOCK -> word[o] = LOCK
    :: else
    fi;
#endif
    if
    :: seen == HIGHER -> goto waiting
#if MUTANT == steal_ignores_lock
    :: seen == LOWER_LOCKED -> goto clear
#elif MUTANT == wait_skipped
    :: seen == LOWER_LOCKED -> goto claimed
#else
    :: seen == LOWER_LOCKED -> registered = true; seen = MINE_LOCKED; FIRST_POLL; goto waiting
#endif
    :: else -> goto clear
    fi
  }
#endif

clear:
  atomic {
    seen = LOOK(word[o]);
    word[o] = word[o] & 254;
#if MUTANT != datum_not_given
    GIVES_DATUM;
#endif
    if
    :: seen == MINE || seen == MINE_LOCKED -> goto claimed
    :: else -> NOT_THE_TOP; goto failed
    fi
  }

waiting:
  if
#ifdef GIVE_WAY
  :: atomic { !registered -> NOT_THE_TOP; goto failed }
  :: atomic { registered && MAY_POLL -> POLLED; seen = LOOK(word[o]); decide() }
#else
  :: atomic { MAY_POLL -> POLLED; seen = LOOK(word[o]); decide() }
#endif
#ifdef BOUNDED
  :: atomic { !IS_IRREVOCABLE -> leave() }
#elif defined(ENDS)
  :: atomic { !IS_IRREVOCABLE -> ending = true; leave() }   /* the watchdog's flag */
#endif
  :: atomic { !INTACT -> NOT_THE_TOP; leave() }
  fi;

withdrawing:
  atomic { withdraw() }
  give_back_withdrawn();
  goto failed
}

/* A wait ends without the object. The registration stays and is remembered. */
inline leave() {
#if MUTANT == forgotten_registration
  goto failed
#else
  if
  :: !registered -> goto failed
  :: else
  fi;
#if MUTANT == withdraw_on_leave
  oldest = o;
#else
  remember();
#endif
  if
  :: oldest == NOTHING -> goto failed
  :: else -> goto withdrawing
  fi
#endif
}

#include "transaction.pml"
