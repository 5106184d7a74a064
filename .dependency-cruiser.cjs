// Which way imports may point (docs/architecture.md). `.ci/run` fails on a violation.
const to = (path, extra = {}) => ({ path, ...extra })

// The rooms of the service from the wire down: none sees one above it. docs/architecture.md
const ROOMS = ['interfaces', 'economy', 'participant', 'access', 'packages', 'contracts', 'engine']

// What reads archives, for the service and for the generator. docs/decisions/0057
const ARCHIVES = '^runtime/packages/(archive|decode|program|summary)/'

// `ledgerwright/examples` is no suite: it makes handlers for the HTTP part.
const EXAMPLES = '^runtime/testing/examples\\.ts$'

module.exports = {
  forbidden: [
    {
      name: 'codegen-sees-only-itself',
      severity: 'error',
      from: { path: '^codegen/' },
      to: to('^(runtime|plugins|generated|test|bench)/', { pathNot: ARCHIVES }),
    },
    {
      name: 'what-reads-archives-imports-nothing-of-ours',
      severity: 'error',
      from: { path: ARCHIVES },
      to: to('^(runtime|codegen|generated|plugins)/', { pathNot: ARCHIVES }),
    },
    {
      name: 'generated-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^generated/' },
      to: to('^(runtime|plugins|codegen|test|bench|spec)/'),
    },
    {
      name: 'host-http-store-know-no-generated',
      severity: 'error',
      from: { path: '^runtime/(host|http|store)/' },
      to: to('^generated/'),
    },
    {
      name: 'runtime-imports-no-plugin',
      severity: 'error',
      from: { path: '^runtime/' },
      to: to('^plugins/'),
    },
    {
      name: 'only-the-cli-sees-codegen',
      severity: 'error',
      from: { path: '^runtime/(?!cli/)' },
      to: to('^codegen/'),
    },
    {
      name: 'plugins-see-the-public-entry-only',
      severity: 'error',
      // What builds the page is no part of the plugin.
      from: { path: '^plugins/([^/]+)/', pathNot: '^plugins/wallet-ui/(web/|build\\.mjs$)' },
      to: to('^(runtime|codegen|generated|plugins|test|bench)/', {
        pathNot: '^(runtime/(index|economy)\\.ts$|plugins/$1/)',
      }),
    },
    {
      name: 'the-wallet-page-sees-generated-clients-only',
      severity: 'error',
      from: { path: '^plugins/wallet-ui/web/' },
      to: to('^(runtime|codegen|generated|plugins|test|bench)/', {
        pathNot: '^(plugins/wallet-ui/web/|generated/[^/]+/(client|hooks|types)\\.gen\\.ts$)',
      }),
    },
    ...ROOMS.map((room, index) => ({
      name: `${room}-sees-only-what-is-below`,
      severity: 'error',
      from: { path: `^runtime/${room}/` },
      to: to(`^runtime/(${[...ROOMS.slice(0, index), 'cli', 'testing'].join('|')})/`),
    })),
    {
      name: 'lower-does-not-see-higher',
      severity: 'error',
      from: { path: '^runtime/(host|http|store)/' },
      to: to(`^runtime/(${ROOMS.join('|')}|errors|cli|testing)/`),
    },
    {
      name: 'host-and-http-share-types-only',
      severity: 'error',
      from: { path: '^runtime/(host|http)/' },
      to: { path: '^runtime/(?!$1/)(host|http|store)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'host-does-not-see-http',
      severity: 'error',
      from: { path: '^runtime/host/' },
      to: to('^runtime/http/'),
    },
    {
      name: 'the-scheduler-and-the-book-know-nothing-of-ours',
      severity: 'error',
      from: { path: '^runtime/work/' },
      to: to('^(generated|codegen|plugins)/|^runtime/(?!work/|host/(clocks?|recent)\\.ts$)'),
    },
    {
      name: 'errors-are-at-the-bottom',
      severity: 'error',
      from: { path: '^runtime/errors/' },
      to: to('^runtime/(?!errors/|host/|http/)'),
    },
    {
      name: 'the-engine-knows-no-contract',
      severity: 'error',
      from: { path: '^runtime/engine/' },
      to: to('^(generated|codegen|plugins)/|^runtime/(?!engine/|store/|host/)'),
    },
    {
      name: 'the-engine-shares-types-with-the-host',
      severity: 'error',
      from: { path: '^runtime/engine/' },
      to: { path: '^runtime/host/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-see-the-engine-only',
      severity: 'error',
      from: { path: '^runtime/contracts/' },
      to: to('^runtime/(?!contracts/|engine/)'),
    },
    {
      name: 'packages-see-the-engine-only',
      severity: 'error',
      from: { path: '^runtime/packages/' },
      to: to(
        '^(codegen|plugins)/|^generated/(?!contract-codec)|^runtime/(?!packages/|engine/|errors/|store/)',
      ),
    },
    {
      name: 'suites-see-the-store-only',
      severity: 'error',
      from: { path: '^runtime/testing/', pathNot: EXAMPLES },
      to: to(
        '^(runtime/(?!testing/|store/|host/(plugin|log|credentials)\\.ts|http/wire\\.ts)|generated/|plugins/)',
      ),
    },
    {
      name: 'suites-share-types-with-the-host',
      severity: 'error',
      from: { path: '^runtime/testing/', pathNot: EXAMPLES },
      to: { path: '^runtime/(host|http)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { path: '^(codegen|runtime|plugins|generated)/' },
      to: to('^(test|bench)/'),
    },
    // Types count too: a reader of one file should not need the other first.
    {
      name: 'no-circles',
      severity: 'error',
      from: { pathNot: '^(generated|test)/' },
      to: { circular: true },
    },
    {
      name: 'tests-have-circles-of-types-only',
      severity: 'error',
      from: { path: '^test/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: '(^|/)node_modules/|^codegen/init/template/|^plugins/(docs/pages|wallet-ui/page)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
}
