#!/usr/bin/env bash
# Checks the models of this folder with SPIN and compares every verdict with the expected one.
#
#   check.sh [code|safety|liveness|all]
#
# code      only finds the code that README.md says the models' steps stand for; the others do so first
# safety    exhaustive searches for failed assertions and deadlocks; about a minute on two idle cores
# liveness  exhaustive searches for non-progress cycles under weak fairness, and those for failed assertions that take
#           longest; minutes, one at a time
#
# Prints a Markdown table, a row for each run as README.md explains it, and ends with status 1 if a verdict is not the
# expected one or a search did not finish. Needs spin and gcc. MAGPIE_MODEL_JOBS: safety runs at a time (2);
# MAGPIE_MODEL_SECONDS: limit of one search (1800); MAGPIE_MODEL_MEGABYTES: memory of one search (6000).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
profile=${1:-safety}
jobs=${MAGPIE_MODEL_JOBS:-2}
seconds=${MAGPIE_MODEL_SECONDS:-1800}
megabytes=${MAGPIE_MODEL_MEGABYTES:-6000}
case $profile in
  code | safety | liveness | all) ;;
  *) echo "check.sh: no profile '$profile': code, safety, liveness or all" >&2; exit 2 ;;
esac

# kind | model | expected | switches. "large": safety, in the profile "liveness". "holds": the whole state space without
# an error; "fails": an assertion is violated; "livelock": a fair run that goes on forever without progress.
runs() {
  cat <<'END'
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS
safety | hand_off | holds | CONFIG=ring STRICT
safety | hand_off | holds | CONFIG=triples STRICT PAIRS
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS
safety | hand_off | holds | CONFIG=write_skew STRICT
safety | hand_off | holds | CONFIG=read_two STRICT
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS BOUNDED
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED GIVE_WAY
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED PAGED=1
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED PAGED=2
safety | hand_off | holds | CONFIG=triples STRICT BOUNDED ENDS PAGED=2
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED PAGED=2 PUBLICATIONS
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED ENDS ITEMS=2 PAGED=1 PUBLICATIONS
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED INNER PUBLICATIONS
safety | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED PUBLICATIONS EAGER=1
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED
safety | hand_off | holds | CONFIG=write_skew STRICT BOUNDED UNVALIDATED
safety | hand_off | holds | CONFIG=read_and_write STRICT BOUNDED BLIND
safety | hand_off | holds | CONFIG=read_two STRICT BOUNDED BLIND
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED CANCELS
safety | hand_off | holds | CONFIG=triples STRICT BOUNDED ENDS
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED VARIES CANCELS ENDS PAGED=1
safety | hand_off | holds | CONFIG=read_two STRICT BOUNDED VARIES ENDS
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED VARIES LANES
safety | hand_off | holds | CONFIG=triples STRICT BOUNDED INNER
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED CANCELS ENDS ITEMS=2
safety | hand_off | holds | CONFIG=three_on_two STRICT COMPARE_EXCHANGE CANCELS ENDS
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED EACH=2
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED CANCELS EACH=2
safety | hand_off | holds | CONFIG=triples STRICT BOUNDED UNVALIDATED EACH=2
safety | hand_off | holds | CONFIG=triples STRICT BOUNDED UNVALIDATED CANCELS EACH=2 PAGED=2
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED UNVALIDATED VARIES ENDS EACH=2
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS ENDS EACH=2 ITEMS=2
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED SEEKS
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED LANES ENDS ITEMS=2 SEEKS
safety | hand_off | holds | CONFIG=three_on_two STRICT GIVE_WAY SEEKS
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED SEEKS
safety | hand_off | holds | CONFIG=three_on_two STRICT GIVE_WAY UNVALIDATED EACH=2 SEEKS
safety | hand_off | holds | CONFIG=crossed STRICT GIVE_WAY SEEKS
safety | hand_off | holds | CONFIG=crossed STRICT BOUNDED SEEKS
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED EAGER=2
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED EAGER=2
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS BOUNDED EAGER=2
safety | hand_off | holds | CONFIG=read_and_write STRICT BOUNDED BLIND EAGER=2
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS EAGER=2
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED CANCELS EAGER=1
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED INNER CANCELS EAGER=2
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED CANCELS ENDS ITEMS=2 EAGER=2
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED EACH=2 EAGER=1
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS ENDS EACH=2 ITEMS=2 EAGER=1
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED SEEKS EAGER=2
safety | hand_off | holds | CONFIG=three_on_two STRICT GIVE_WAY SEEKS EAGER=1
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED VERSIONS EAGER=2
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED VERSIONS LATE EAGER=2
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS BOUNDED VERSIONS EAGER=1
safety | hand_off | holds | CONFIG=write_skew STRICT BOUNDED VERSIONS EAGER=2
safety | hand_off | holds | CONFIG=write_skew STRICT BOUNDED VERSIONS EAGER=0
safety | hand_off | holds | CONFIG=read_two STRICT BOUNDED UNVALIDATED VERSIONS EAGER=0
safety | hand_off | holds | CONFIG=write_skew STRICT BOUNDED UNVALIDATED VERSIONS EAGER=2
safety | hand_off | holds | CONFIG=read_two STRICT BOUNDED VERSIONS EAGER=1
safety | hand_off | holds | CONFIG=read_and_write STRICT BOUNDED BLIND VERSIONS EAGER=2
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS VERSIONS EAGER=1
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED INNER CANCELS VERSIONS EAGER=1
safety | hand_off | holds | CONFIG=write_skew STRICT BOUNDED INNER VERSIONS EAGER=2
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED FUSED
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED EAGER=2 FUSED
safety | hand_off | holds | CONFIG=ring STRICT BOUNDED EAGER=1 FUSED
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS BOUNDED EAGER=1 FUSED
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS GIVE_WAY EAGER=1 FUSED
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED CANCELS EAGER=1 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED INNER CANCELS EAGER=2 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED CANCELS ENDS ITEMS=2 EAGER=2 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS COMPARE_EXCHANGE FUSED
safety | hand_off | holds | CONFIG=ring STRICT COMPARE_EXCHANGE FUSED
safety | hand_off | holds | CONFIG=three_on_two STRICT PAIRS COMPARE_EXCHANGE FUSED
safety | hand_off | holds | CONFIG=three_on_two STRICT COMPARE_EXCHANGE CANCELS ENDS FUSED
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS COMPARE_EXCHANGE EAGER=2 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT COMPARE_EXCHANGE INNER CANCELS EAGER=2 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED IRREVOCABLE=6 FUSED
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED INNER CANCELS IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED SEEKS IRREVOCABLE=6
safety | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED IRREVOCABLE=2
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED ENDS IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT PAIRS BOUNDED PAGED=1 IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED VARIES LANES IRREVOCABLE=6
safety | hand_off | holds | CONFIG=opposite STRICT BOUNDED CANCELS ENDS ITEMS=2 IRREVOCABLE=2
safety | priority_rule | holds | CONFIG=opposite STRICT PAIRS
safety | priority_rule | holds | CONFIG=ring STRICT
safety | priority_rule | holds | CONFIG=triples STRICT PAIRS
safety | priority_rule | holds | CONFIG=triples STRICT PAIRS PUBLICATIONS
safety | priority_rule | holds | CONFIG=read_two STRICT
safety | priority_rule | holds | CONFIG=triples STRICT UNVALIDATED EACH=2 PAGED=2
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=lock_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=release_before_write_back
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=steal_ignores_lock
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=roll_back_by_store
safety | hand_off | holds | CONFIG=write_skew BOUNDED MUTANT=reads_not_locked
safety | hand_off | fails | CONFIG=write_skew BOUNDED UNVALIDATED MUTANT=reads_not_locked
safety | hand_off | fails | CONFIG=read_and_write BOUNDED BLIND MUTANT=reads_not_locked
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=last_object_not_locked
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=lost_claim_retaken
safety | hand_off | holds | CONFIG=opposite BOUNDED MUTANT=equal_ranks
safety | hand_off | fails | CONFIG=three_on_two BOUNDED MUTANT=equal_ranks
safety | hand_off | fails | CONFIG=opposite BOUNDED MUTANT=wait_skipped
safety | hand_off | holds | CONFIG=three_on_two BOUNDED MUTANT=release_drops_waiter
safety | hand_off | fails | CONFIG=opposite BOUNDED PAIRS MUTANT=no_validation
safety | hand_off | fails | CONFIG=opposite BOUNDED PAIRS PUBLICATIONS MUTANT=publication_uncounted
safety | hand_off | fails | CONFIG=opposite BOUNDED PAIRS PUBLICATIONS MUTANT=publication_after_write
safety | hand_off | fails | CONFIG=opposite BOUNDED CANCELS MUTANT=forgotten_registration
safety | hand_off | fails | CONFIG=opposite BOUNDED CANCELS MUTANT=give_back_granted_only
safety | hand_off | fails | CONFIG=opposite BOUNDED CANCELS MUTANT=no_withdrawal_at_end
safety | hand_off | fails | CONFIG=opposite BOUNDED UNVALIDATED CANCELS MUTANT=cancel_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED UNVALIDATED EACH=2 MUTANT=lock_unchecked
safety | hand_off | fails | CONFIG=ring BOUNDED UNVALIDATED EACH=2 MUTANT=roll_back_by_store
safety | hand_off | fails | CONFIG=opposite BOUNDED UNVALIDATED CANCELS EACH=2 MUTANT=cancel_unchecked
safety | hand_off | fails | CONFIG=three_on_two BOUNDED UNVALIDATED EACH=2 MUTANT=equal_ranks
safety | hand_off | fails | CONFIG=opposite BOUNDED SEEKS MUTANT=lock_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED SEEKS MUTANT=leaves_alone
safety | hand_off | fails | CONFIG=crossed BOUNDED GIVE_WAY SEEKS MUTANT=leaves_alone
safety | hand_off | fails | CONFIG=opposite BOUNDED PAIRS VERSIONS EAGER=1 MUTANT=no_validation
safety | hand_off | fails | CONFIG=opposite BOUNDED VERSIONS EAGER=1 MUTANT=version_kept
safety | hand_off | fails | CONFIG=opposite BOUNDED VERSIONS EAGER=1 MUTANT=version_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED VERSIONS LATE EAGER=1 MUTANT=version_unchecked
safety | hand_off | fails | CONFIG=write_skew BOUNDED VERSIONS EAGER=1 MUTANT=reads_not_locked
safety | hand_off | fails | CONFIG=write_skew BOUNDED UNVALIDATED VERSIONS EAGER=0 MUTANT=reads_not_locked
safety | hand_off | fails | CONFIG=opposite BOUNDED VERSIONS EAGER=1 MUTANT=steal_ignores_lock
safety | hand_off | fails | CONFIG=opposite BOUNDED UNVALIDATED CANCELS VERSIONS EAGER=1 MUTANT=cancel_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED FUSED MUTANT=datum_after_word
safety | hand_off | fails | CONFIG=opposite BOUNDED EAGER=1 FUSED MUTANT=datum_after_word
safety | hand_off | fails | CONFIG=opposite BOUNDED FUSED MUTANT=datum_not_given
safety | hand_off | fails | CONFIG=opposite BOUNDED FUSED MUTANT=datum_left
safety | hand_off | fails | CONFIG=opposite BOUNDED EAGER=1 FUSED MUTANT=datum_left
safety | hand_off | fails | CONFIG=opposite COMPARE_EXCHANGE FUSED MUTANT=datum_uncompared
safety | hand_off | fails | CONFIG=opposite COMPARE_EXCHANGE EAGER=1 FUSED MUTANT=datum_uncompared
safety | hand_off | fails | CONFIG=opposite BOUNDED FUSED MUTANT=lock_unchecked
safety | hand_off | fails | CONFIG=opposite BOUNDED FUSED MUTANT=roll_back_by_store
safety | hand_off | fails | CONFIG=opposite BOUNDED PAIRS FUSED MUTANT=no_validation
safety | hand_off | fails | CONFIG=opposite BOUNDED IRREVOCABLE=6 MUTANT=irrevocable_without_token
safety | hand_off | fails | CONFIG=opposite BOUNDED IRREVOCABLE=6 MUTANT=token_kept
safety | hand_off | fails | CONFIG=opposite BOUNDED IRREVOCABLE=6 MUTANT=irrevocable_unlocked
safety | hand_off | fails | CONFIG=opposite BOUNDED IRREVOCABLE=6 MUTANT=irrevocable_by_own_rank
safety | priority_rule | fails | CONFIG=opposite MUTANT=lock_unchecked
safety | priority_rule | fails | CONFIG=opposite MUTANT=steal_ignores_lock
safety | priority_rule | fails | CONFIG=opposite MUTANT=roll_back_by_store
large | hand_off | holds | CONFIG=four_on_two STRICT GIVE_WAY SEEKS
large | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED EAGER=2
large | hand_off | holds | CONFIG=triples STRICT BOUNDED ENDS PAGED=2 EAGER=2
large | hand_off | holds | CONFIG=ring STRICT BOUNDED VARIES CANCELS ENDS PAGED=1 PUBLICATIONS
large | hand_off | holds | CONFIG=triples STRICT BOUNDED INNER EAGER=2
large | hand_off | holds | CONFIG=ring STRICT BOUNDED VARIES CANCELS ENDS PAGED=1 EAGER=2
large | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED VARIES LANES EAGER=1
large | hand_off | holds | CONFIG=triples STRICT BOUNDED UNVALIDATED CANCELS EACH=2 PAGED=2 EAGER=2
large | hand_off | holds | CONFIG=opposite STRICT BOUNDED UNVALIDATED CANCELS ENDS EACH=2 ITEMS=2 EAGER=2
large | hand_off | holds | CONFIG=crossed STRICT GIVE_WAY SEEKS EAGER=2
large | hand_off | holds | CONFIG=read_only STRICT BOUNDED VERSIONS EAGER=1
large | hand_off | holds | CONFIG=ring STRICT BOUNDED VERSIONS EAGER=1
large | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED VERSIONS EAGER=1
large | hand_off | holds | CONFIG=triples STRICT BOUNDED INNER VERSIONS EAGER=1
large | hand_off | holds | CONFIG=read_two STRICT BOUNDED INNER VERSIONS EAGER=1
large | hand_off | holds | CONFIG=read_two STRICT BOUNDED VERSIONS LATE EAGER=1
large | hand_off | holds | CONFIG=opposite STRICT BOUNDED CANCELS ENDS ITEMS=2 VERSIONS EAGER=1
large | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED UNVALIDATED CANCELS VERSIONS EAGER=1
large | hand_off | holds | CONFIG=triples STRICT PAIRS BOUNDED EAGER=1 FUSED
large | hand_off | holds | CONFIG=triples STRICT BOUNDED INNER EAGER=1 FUSED
large | hand_off | holds | CONFIG=triples STRICT BOUNDED PAGED=2 PUBLICATIONS EAGER=1 FUSED
large | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED VARIES LANES EAGER=1 FUSED
large | hand_off | holds | CONFIG=three_on_two STRICT PAIRS COMPARE_EXCHANGE EAGER=1 FUSED
large | hand_off | holds | CONFIG=triples STRICT PAIRS COMPARE_EXCHANGE FUSED
large | hand_off | holds | CONFIG=ring STRICT BOUNDED IRREVOCABLE=6
large | hand_off | holds | CONFIG=three_on_two STRICT BOUNDED ENDS PAGED=2 IRREVOCABLE=2
large | hand_off | holds | CONFIG=three_on_two STRICT PAIRS BOUNDED IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite
liveness | hand_off | holds | CONFIG=same
liveness | hand_off | holds | CONFIG=ring
liveness | hand_off | holds | CONFIG=three_on_two
liveness | hand_off | holds | CONFIG=triples
liveness | hand_off | holds | CONFIG=opposite BOUNDED
liveness | hand_off | holds | CONFIG=same BOUNDED
liveness | hand_off | holds | CONFIG=ring BOUNDED
liveness | hand_off | holds | CONFIG=ascending BOUNDED
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED
liveness | hand_off | holds | CONFIG=triples BOUNDED
liveness | hand_off | holds | CONFIG=ring BOUNDED GIVE_WAY
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED GIVE_WAY
liveness | hand_off | holds | CONFIG=triples BOUNDED GIVE_WAY
liveness | hand_off | holds | CONFIG=triples BOUNDED PAGED=1
liveness | hand_off | holds | CONFIG=triples BOUNDED PAGED=2
liveness | hand_off | holds | CONFIG=ring BOUNDED VARIES CANCELS ENDS
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED LANES
liveness | hand_off | holds | CONFIG=triples BOUNDED LANES
liveness | hand_off | holds | CONFIG=triples BOUNDED INNER
liveness | hand_off | holds | CONFIG=opposite BOUNDED ITEMS=3
liveness | hand_off | holds | CONFIG=opposite COMPARE_EXCHANGE
liveness | hand_off | holds | CONFIG=ring COMPARE_EXCHANGE
liveness | hand_off | holds | CONFIG=three_on_two COMPARE_EXCHANGE
liveness | hand_off | holds | CONFIG=ring BOUNDED UNVALIDATED EACH=2
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED UNVALIDATED EACH=2
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED GIVE_WAY UNVALIDATED EACH=2
liveness | hand_off | holds | CONFIG=triples BOUNDED UNVALIDATED EACH=2 PAGED=2
liveness | hand_off | holds | CONFIG=triples BOUNDED UNVALIDATED EACH=3
liveness | hand_off | holds | CONFIG=ring BOUNDED UNVALIDATED VARIES CANCELS ENDS EACH=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED UNVALIDATED ENDLESS EACH=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED UNVALIDATED ENDLESS WATCH=1 EACH=2
liveness | hand_off | holds | CONFIG=ring BOUNDED UNVALIDATED ENDLESS EACH=2
liveness | hand_off | holds | CONFIG=ring BOUNDED UNVALIDATED ENDLESS WATCH=1 EACH=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS WATCH=1
liveness | hand_off | holds | CONFIG=ring BOUNDED ENDLESS
liveness | hand_off | holds | CONFIG=ring BOUNDED ENDLESS WATCH=1
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED ENDLESS
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED ENDLESS WATCH=1
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED ENDLESS WATCH=2
liveness | hand_off | holds | CONFIG=opposite GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=three_on_two GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=triples GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=crossed GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=crossed BOUNDED GIVE_WAY SEEKS
liveness | hand_off | holds | CONFIG=opposite BOUNDED SEEKS
liveness | hand_off | holds | CONFIG=opposite BOUNDED LANES SEEKS
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED SEEKS
liveness | hand_off | holds | CONFIG=crossed BOUNDED SEEKS
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS SEEKS
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS WATCH=1 SEEKS
liveness | hand_off | holds | CONFIG=opposite EAGER=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED EAGER=2
liveness | hand_off | holds | CONFIG=ring EAGER=2
liveness | hand_off | holds | CONFIG=ring BOUNDED EAGER=2
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED EAGER=2
liveness | hand_off | holds | CONFIG=triples BOUNDED EAGER=2
liveness | hand_off | holds | CONFIG=triples BOUNDED GIVE_WAY EAGER=2
liveness | hand_off | holds | CONFIG=triples BOUNDED PAGED=2 EAGER=1
liveness | hand_off | holds | CONFIG=ring BOUNDED VARIES CANCELS ENDS EAGER=1
liveness | hand_off | holds | CONFIG=triples BOUNDED LANES EAGER=1
liveness | hand_off | holds | CONFIG=triples BOUNDED INNER EAGER=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED ITEMS=3 EAGER=2
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED UNVALIDATED EACH=2 EAGER=1
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS EAGER=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS WATCH=1 EAGER=2
liveness | hand_off | holds | CONFIG=ring BOUNDED ENDLESS EAGER=1
liveness | hand_off | holds | CONFIG=ring BOUNDED ENDLESS WATCH=1 EAGER=1
liveness | hand_off | holds | CONFIG=opposite BOUNDED SEEKS EAGER=2
liveness | hand_off | holds | CONFIG=three_on_two GIVE_WAY SEEKS EAGER=2
liveness | hand_off | holds | CONFIG=crossed GIVE_WAY SEEKS EAGER=1
liveness | hand_off | holds | CONFIG=opposite BOUNDED VERSIONS EAGER=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED VERSIONS LATE EAGER=2
liveness | hand_off | holds | CONFIG=ring BOUNDED VERSIONS EAGER=1
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED VERSIONS EAGER=1
liveness | hand_off | holds | CONFIG=triples BOUNDED VERSIONS EAGER=1
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS VERSIONS EAGER=2
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS WATCH=1 VERSIONS EAGER=1
liveness | hand_off | holds | CONFIG=opposite EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=opposite BOUNDED EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=ring BOUNDED FUSED
liveness | hand_off | holds | CONFIG=ring BOUNDED EAGER=1 FUSED
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED EAGER=1 FUSED
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED GIVE_WAY FUSED
liveness | hand_off | holds | CONFIG=triples BOUNDED FUSED
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS WATCH=1 EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED ENDLESS WATCH=1 FUSED
liveness | hand_off | holds | CONFIG=opposite BOUNDED SEEKS EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=opposite COMPARE_EXCHANGE FUSED
liveness | hand_off | holds | CONFIG=same COMPARE_EXCHANGE EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=opposite COMPARE_EXCHANGE EAGER=2 FUSED
liveness | hand_off | holds | CONFIG=ring COMPARE_EXCHANGE FUSED
liveness | hand_off | holds | CONFIG=ring COMPARE_EXCHANGE EAGER=1 FUSED
liveness | hand_off | holds | CONFIG=three_on_two COMPARE_EXCHANGE FUSED
liveness | hand_off | holds | CONFIG=three_on_two COMPARE_EXCHANGE EAGER=1 FUSED
liveness | hand_off | holds | CONFIG=opposite BOUNDED IRREVOCABLE=6 FUSED
liveness | hand_off | holds | CONFIG=opposite IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED GIVE_WAY IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite COMPARE_EXCHANGE IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED SEEKS IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDLESS IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED LANES IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED ENDS IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=opposite BOUNDED PAGED=1 IRREVOCABLE=6
liveness | hand_off | holds | CONFIG=three_on_two BOUNDED IRREVOCABLE=2
liveness | hand_off | livelock | CONFIG=opposite BOUNDED COMPARE_EXCHANGE
liveness | hand_off | livelock | CONFIG=opposite BOUNDED COMPARE_EXCHANGE FUSED
liveness | hand_off | livelock | CONFIG=opposite BOUNDED MUTANT=withdraw_on_leave
liveness | hand_off | livelock | CONFIG=opposite BOUNDED MUTANT=release_drops_waiter
liveness | hand_off | livelock | CONFIG=opposite BOUNDED INNER MUTANT=inner_over_locked
liveness | hand_off | livelock | CONFIG=opposite BOUNDED UNVALIDATED EACH=2 MUTANT=withdraw_on_leave
liveness | hand_off | livelock | CONFIG=opposite BOUNDED UNVALIDATED EACH=2 MUTANT=release_drops_waiter
liveness | hand_off | livelock | CONFIG=opposite BOUNDED EAGER=2 MUTANT=eager_lock_kept
liveness | hand_off | livelock | CONFIG=opposite BOUNDED EAGER=2 MUTANT=eager_waits
liveness | hand_off | livelock | CONFIG=opposite BOUNDED EAGER=2 MUTANT=eager_forever
liveness | hand_off | livelock | CONFIG=opposite BOUNDED VERSIONS EAGER=2 MUTANT=eager_lock_kept
liveness | hand_off | livelock | CONFIG=opposite BOUNDED VERSIONS EAGER=2 MUTANT=eager_forever
liveness | hand_off | livelock | CONFIG=opposite BOUNDED FUSED MUTANT=release_drops_waiter
liveness | hand_off | livelock | CONFIG=opposite BOUNDED EAGER=2 FUSED MUTANT=eager_forever
liveness | hand_off | livelock | CONFIG=opposite BOUNDED IRREVOCABLE=6 MUTANT=irrevocable_raises
liveness | hand_off | livelock | CONFIG=opposite SEEKS
liveness | hand_off | livelock | CONFIG=crossed SEEKS
liveness | hand_off | livelock | CONFIG=opposite GIVE_WAY SEEKS MUTANT=locks_before_plans
liveness | hand_off | livelock | CONFIG=crossed GIVE_WAY SEEKS MUTANT=locks_before_plans
liveness | priority_rule | livelock | CONFIG=opposite
liveness | priority_rule | livelock | CONFIG=ring
liveness | priority_rule | livelock | CONFIG=three_on_two
liveness | priority_rule | livelock | CONFIG=triples
liveness | priority_rule | livelock | CONFIG=opposite UNVALIDATED EACH=2
END
}

# The code that README.md says the steps stand for is still there: file and fragment of each row of its table.
headers=$here/../../../../stm-kernels/src/main/cuda/magpie
fragments() {
  sed -n '/^## What each step/,/^## What stands/p' "$here/README.md" | sed -n 's/\\|/\x01/g; s/^| .* | `\([^`]*\)`[^|]*| `\(.*\)` |$/\1\t\2/p' |
    tr '\001' '|'
}
checked=0
while IFS=$'\t' read -r file fragment; do
  [[ $file == */* ]] || for folder in stm/detail stm; do
    [ ! -e "$headers/$folder/$file" ] || file=$folder/$file
  done
  grep -qF -- "$fragment" "$headers/$file" || {
    echo "check.sh: no longer in $file: $fragment; look at the model, then at its README.md" >&2
    exit 1
  }
  checked=$((checked + 1))
done < <(fragments)
[ $checked -gt 0 ] || { echo "check.sh: no table of steps in README.md" >&2; exit 1; }
if [ "$profile" = code ]; then
  echo "$checked of $checked fragments found"
  exit
fi

for command in spin gcc; do
  command -v $command > /dev/null || { echo "check.sh: no $command; Debian has a package of that name" >&2; exit 2; }
done

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

trim() { sed 's/^ *//; s/ *$//' <<< "$1"; }

property() { # <kind> <switches>
  case "$1 $2" in
    liveness*WATCH*) echo "each item of thread $(sed 's/.*WATCH=\([0-9]*\).*/\1/' <<< "$2") ends" ;;
    liveness*ENDLESS*) echo "items end forever" ;;
    liveness*) echo "every item ends" ;;
    *PAIRS*SEEKS*) echo "serializable, opaque, nothing left claimed, lanes meet" ;;
    *SEEKS*) echo "serializable, nothing left claimed, lanes meet" ;;
    *PAIRS*) echo "serializable, opaque, nothing left claimed" ;;
    *) echo "serializable, nothing left claimed" ;;
  esac
}

# Leaves the row in <number>.row and, if the verdict is a surprise, the reason in <number>.surprise.
check() { # <number> <kind> <model> <expected> <switches>
  local folder=$out/$1 kind=$2 model=$3 expected=$4 switches=$5 flags=() limits=() verdict states elapsed
  mkdir "$folder" && cd "$folder"
  local defines=()
  for each in $switches; do defines+=("-D$each"); done
  if [ "$kind" = liveness ]; then
    defines+=(-DLIVENESS); flags=(-O2 -DNP -DNOREDUCE -DCOLLAPSE); limits=(-l -f -m8000000)
  elif [ "$kind" = large ]; then
    flags=(-O1 -DSAFETY -DCOLLAPSE); limits=(-m1000000)
  else
    # Most searches are over sooner than gcc has optimized them.
    flags=(-O0 -DSAFETY); limits=(-m1000000)
  fi
  spin -a "${defines[@]}" "$here/$model.pml" > spin.log 2>&1 && [ ! -s spin.log ] &&
    gcc -w "${flags[@]}" -DMEMLIM="$megabytes" -o pan pan.c > gcc.log 2>&1 || {
      cat spin.log gcc.log > "$folder.surprise" 2> /dev/null
      return
    }
  timeout -s INT "$seconds" ./pan "${limits[@]}" > pan.log 2>&1 || true
  states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' pan.log | tail -1)
  elapsed=$(sed -n 's/^pan: elapsed time \([0-9.e+]*\) seconds.*/\1/p' pan.log)
  if grep -q '^pan:1: non-progress cycle' pan.log; then
    verdict=livelock
  elif grep -q '^pan:1: assertion violated' pan.log; then
    verdict=fails
  elif grep -q 'errors: 0$' pan.log && ! grep -qiE 'depth too small|memlim|out of memory|interrupt|not completed' pan.log; then
    verdict=holds
  elif grep -q 'errors: [1-9]' pan.log; then
    verdict='other error'
  else
    verdict='not finished'
  fi
  printf '| `%s` | `%s` | %s | %s | %.0f | %s |\n' "$model" "$switches" "$(property "$kind" "$switches")" "$verdict" \
    "${states:-0}" "${elapsed:-}" > "$folder.row"
  if [ "$verdict" != "$expected" ]; then
    { echo "$model $switches: $verdict, expected: $expected"; tail -n 5 pan.log; } > "$folder.surprise"
  fi
  cd "$out" && rm -rf "$folder"
}

number=0
while IFS='|' read -r kind model expected switches; do
  kind=$(trim "$kind")
  if [ "$kind" = safety ]; then part_of=safety at_once=$jobs; else part_of=liveness at_once=1; fi
  [ "$profile" = all ] || [ "$profile" = "$part_of" ] || continue
  number=$((number + 1))
  while [ "$(jobs -rp | wc -l)" -ge "$at_once" ]; do wait -n || true; done
  check "$(printf '%03d' $number)" "$kind" "$(trim "$model")" "$(trim "$expected")" "$(trim "$switches")" &
done < <(runs)
wait

echo '| model | switches | property | verdict | states | seconds |'
echo '|---|---|---|---|---:|---:|'
cat "$out"/*.row 2> /dev/null || true
rows=$(find "$out" -name '*.row' | wc -l)
surprises=$(find "$out" -name '*.surprise' | wc -l)
printf '\n%d of %d runs as expected, %d s\n' $((rows - surprises)) $number $SECONDS
[ "$surprises" = 0 ] || cat "$out"/*.surprise >&2
[ "$surprises" = 0 ] && [ "$rows" = "$number" ]
