#!/bin/sh
# What proves that the trial of compose.yaml works: alice offers a coin, bob accepts it, and it is
# paid. Wants curl; run it from the repository's root while the containers are up.
#
#   sh deploy/first-payment.sh [ADDRESS]
set -eu
wallet=${1:-http://127.0.0.1:8080}/api/validator/v0/wallet
compose=${COMPOSE:-docker compose -f deploy/compose.yaml}

token() { $compose exec -T server-1 ledgerwright token --user "$1"; }
call() { curl -fsS -H "Authorization: Bearer $1" -H 'Content-Type: application/json' "$wallet/$2" ${3:+"$3" "$4"}; }
field() { sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"; }

wait_for() {
  for _ in $(seq 300); do "$@" && return; sleep 0.2; done
  echo "waited for a minute in vain: $*" >&2
  exit 1
}
is_ready() { curl -fsS -o /dev/null "${wallet%/api/*}/readyz" 2> /dev/null; }
is_paid() { [ "$(call "$alice" "transfer-offers/$id/status" -X POST | field status)" = completed ]; }

wait_for is_ready
alice=$(token alice)
bob=$(token bob)
to=$(call "$bob" user-status | field party_id)
id=payment-$(date +%s)
ends=$(($(date +%s) + 3600))000000
offer=$(call "$alice" transfer-offers -d "{\"receiver_party_id\":\"$to\",\"amount\":\"1.0\",\
\"description\":\"first payment\",\"expires_at\":$ends,\"tracking_id\":\"$id\"}" \
  | field offer_contract_id)
call "$bob" "transfer-offers/$offer/accept" -X POST > /dev/null
wait_for is_paid
echo "paid; bob has $(call "$bob" balance | field effective_unlocked_qty)"
