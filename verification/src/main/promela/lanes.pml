/* Lanes of a warp that wait for each other (SEEKS): stm/region.cuh of a region that seeks.
 *
 * Warps have two lanes: threads 1 and 3, and 2 and 4; two threads are one warp, of three the second is alone. A lane
 * whose launch has no more items for it comes to every meeting at the begin of a round, and to no other. */

#if THREADS == 2
#define MATE (3 - me)
#else
#define MATE (me <= 2 -> me + 2 : me - 2)
#endif
#define IS_BUSY(thread) ((alive & BIT(thread)) != 0)

/* Where lanes meet. `seek` leaves no trace, so that the meeting behind it is that at the begin of the round. */
#define AT_ROUND   0
#define AT_PLAN    1
#define AT_LOCKS   2
#define AT_END     3
#define IN_APPLY   4

byte meetings[5];              /* that each lane has come to, modulo 3: it is at most one ahead */
byte meets_at[5];              /* where the last one was */
bool runs[5];                  /* the lane has an attempt in this round */
bool together[5];              /* and its mate, too */
bool applies[5];               /* it has its locks */
#ifdef EAGER
byte tries[5];                 /* attempts that its item has made, up to EAGER; the last one eager, or EAGER of them */
#endif

/* The lane comes to a meeting. Who comes last finds the other at the same place, or the warp has come apart. */
inline come_to(at) {
  meetings[me] = (meetings[me] + 1) % 3;
  meets_at[me] = at;
  assert(!IS_BUSY(MATE) || meetings[MATE] != meetings[me] || meets_at[MATE] == at)
}
/* It goes on: its mate has come, and perhaps left. */
#define HAVE_MET (!IS_BUSY(MATE) || meetings[MATE] != (meetings[me] + 2) % 3)

/* The ballot at the begin of a round. Who comes last knows which attempts run at the same time. */
inline begin_round() {
  come_to(AT_ROUND);
  together[me] = false; applies[me] = false; met = AT_ROUND;
  if
  :: IS_BUSY(MATE) && meetings[MATE] == meetings[me] ->
     together[me] = runs[me] && runs[MATE];
     together[MATE] = together[me]
  :: else
  fi
}

/* The meetings up to one, of those in each attempt. */
inline meet_up_to(at) {
  do
  :: atomic { together[me] && met < at -> met++; come_to(met) }
     HAVE_MET
  :: else -> break
  od
}
