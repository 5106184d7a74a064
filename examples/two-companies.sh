# The longer requests of docs/two-companies.md as commands for bash. They use the page's variables and
# commands: `. examples/two-companies.sh` after its first steps. A test runs the page.

APP='#network-token-test-trading-app:Network.Testing.Apps.TradingApp'
submit() {  # token, node, party, command, disclosed contracts
  as $1 -X POST $2/v2/commands/submit-and-wait-for-transaction -d "{ \"commands\": {
    \"commandId\": \"trade-$RANDOM\", \"actAs\": [\"$3\"], \"commands\": [$4], \"disclosedContracts\": ${5:-[]} } }"
}
exercise() {  # contract, choice, argument, template
  echo "{ \"ExerciseCommand\": { \"templateId\": \"$APP:${4:-OTCTradeProposal}\", \"contractId\": \"$1\", \"choice\": \"$2\", \"choiceArgument\": $3 } }"
}
created() { field 'transaction.events.find((event) => event.CreatedEvent).CreatedEvent.contractId'; }
leg() { echo "{ \"sender\": \"$1\", \"receiver\": \"$2\", \"amount\": \"$3\", \"instrumentId\": { \"admin\": \"$DSO\", \"id\": \"Coin\" }, \"meta\": { \"values\": {} } }"; }

DSO=$(curl -sS $PROVIDER/api/scan/v0/dso-party-id | field dso_party_id)
propose() {  # amount from Bob, amount from Alice
  submit $ALICE $PROVIDER $ALICE_PARTY "{ \"CreateCommand\": { \"templateId\": \"$APP:OTCTradeProposal\", \"createArguments\": {
    \"venue\": \"$ALICE_PARTY\", \"tradeCid\": null, \"approvers\": [\"$ALICE_PARTY\"], \"transferLegs\": {
      \"payment\": $(leg $BOB_PARTY $ALICE_PARTY $1), \"delivery\": $(leg $ALICE_PARTY $BOB_PARTY $2) } } } }" | created
}

in_hours() { node -p "new Date(Date.now() + $1 * 3600000).toISOString()"; }

allocate() {  # token, node, leg
  as $1 $2/api/validator/v0/wallet/token-standard/allocation-requests | node -p "
    const { contract: { payload } } = JSON.parse(require('node:fs').readFileSync(0, 'utf8')).allocation_requests[0];
    const micros = (time) => Date.parse(time) * 1000, { receiver, amount } = payload.transferLegs['$3'];
    JSON.stringify({ transfer_leg_id: '$3', transfer_leg: { receiver, amount }, settlement: {
      executor: payload.venue, settlement_ref: { id: 'OTCTradeProposal', cid: payload.tradeCid }, requested_at: micros(payload.createdAt),
      allocate_before: micros(payload.prepareUntil), settle_before: micros(payload.settleBefore) } })" |
    as $1 -X POST $2/api/validator/v0/allocations -d @- | field output.allocation_cid
}

context() { as $ALICE -X POST $PROVIDER/registry/allocations/v1/$1/choice-contexts/execute-transfer -d '{}'; }
settlement() {  # reads the contexts of both legs, prints the argument and the disclosed contracts
  node -p "
    const [payment, delivery] = require('node:fs').readFileSync(0, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const meta = { values: {} }, with_ = (_1, { choiceContextData }) => ({ _1, _2: { context: choiceContextData, meta } });
    const disclosed = new Map([payment, delivery].flatMap((one) => one.disclosedContracts).map((one) => [one.contractId, one]));
    JSON.stringify({ allocationsWithContext: { payment: with_('$1', payment), delivery: with_('$2', delivery) } }) +
      '\n' + JSON.stringify([...disclosed.values()])"
}

settle() {  # trade, payment, delivery
  local argument disclosed
  { read -r argument; read -r disclosed; } < <({ context $2; echo; context $3; } | settlement $2 $3)
  submit $ALICE $PROVIDER $ALICE_PARTY "$(exercise $1 OTCTrade_Settle "$argument" OTCTrade)" "$disclosed"
}

new_key() {  # sets KEY, a file with the private key, and PUBLIC
  KEY=$(mktemp)
  PUBLIC=$(node -e "
    const { publicKey, privateKey } = require('node:crypto').generateKeyPairSync('ed25519')
    require('node:fs').writeFileSync('$KEY', privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    console.log(Buffer.from(publicKey.export({ format: 'jwk' }).x, 'base64url').toString('base64'))
  ")
}

host() {  # token, node, other nodes that host the party: signs and allocates
  as $1 -X POST $2/v2/parties/external/generate-topology -d "{ \"synchronizer\": \"$SYNCHRONIZER\", \"partyHint\": \"dora\",
    \"confirmationThreshold\": 1, \"otherConfirmingParticipantUids\": [${3:-}], \"publicKey\": {
      \"format\": \"CRYPTO_KEY_FORMAT_RAW\", \"keyData\": \"$PUBLIC\", \"keySpec\": \"SIGNING_KEY_SPEC_EC_CURVE25519\" } }" | node -p "
    const { topologyTransactions, multiHash, publicKeyFingerprint: signedBy } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const sign = (hash) => require('node:crypto').sign(null, Buffer.from(hash, 'base64'), require('node:fs').readFileSync('$KEY'));
    JSON.stringify({ synchronizer: '$SYNCHRONIZER', onboardingTransactions: topologyTransactions.map((transaction) => ({ transaction })),
      multiHashSignatures: [{ format: 'SIGNATURE_FORMAT_CONCAT', signature: sign(multiHash).toString('base64'), signedBy,
        signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519' }] })" |
    as $1 -X POST $2/v2/parties/external/allocate -d @-
}

hosts() {  # for each node, whether it hosts Dora
  local node
  for node in "$USER_ADMIN $USER_NODE" "$ADMIN $PROVIDER"; do
    set -- $node
    as $1 $2/v2/parties/$DORA | field 'partyDetails.map((each) => each.isLocal)[0]'
  done
}
