// The independent reading of the hash against the test vectors that the public scheme's own tests
// have (version 2: values, nodes of all kinds, metadata, the whole).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { nodeHash, publicHashes, valueBytes } from './public-hash.ts'
import { encode, Fixed, WireMessage } from './wire-message.ts'

const CONTRACT = '0007e7b5534931dfca8e1b485c105bae4e10808bd13ddc8e897f258015f9d921c5'
const OTHER = '0059b59ad7a6b6066e77b91ced54b8282f0e24e7089944685cb8f22f32fcbc4e1b'
const HELD = '0097a092402108f5593bac7fb3c909cd316910197dd98d603042a45ab85c81e0fd'
const LF = '2.1'

const id = (module: string, entity: string, of = 'package') =>
  encode([1, of], [2, module], [3, entity])
const NAME = id('module', 'name')
const texts = (field: number, ...items: readonly string[]) =>
  items.map((item) => [field, item] as const)
const text = (value: string) => encode([8, value])
const bool = (value: boolean) => encode([2, value ? 1 : 0])
const int64 = (value: number) => encode([3, value * 2])

test('values hash as the public vectors say', () => {
  const entry = (key: string | Buffer, value: Buffer) => [1, encode([1, key], [2, value])] as const
  const member = (label: string, value: Buffer) => [2, encode([1, label], [2, value])] as const
  const vectors: readonly (readonly [Buffer, string])[] = [
    [encode([1, '']), '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [bool(true), '9dcf97a184f32623d11a73124ceb99a5709b083721e878a16d78f596718ba7b2'],
    [bool(false), '47dc540c94ceb704a23875c11273e16bb0b8a87aed84de911f2133568115f254'],
    [text('hello world!'), 'a24821b4741b3616920a37dfccf3b1e271184c82fc89377ab22e5d96d9330e5c'],
    [encode([6, '125.1002']), 'fd23ea3b05b8b0e1d15902cccf7c6c0e6e292f0ae3e96513c8d8cec9d4f9bda9'],
    [encode([9, OTHER]), '6a3e241cebc1dc5e7574be0cf122edc9cb65ffc3fa59fb069c5ab3bbb4598414'],
    [
      encode([16, encode([1, NAME], [2, 'ENUM'])]),
      '9c8f627c22d6871e111e1f5d1980a6a24bcc6311bbc73fd3932a4d79fa9c09f2',
    ],
    [int64(10), 'a74730eb88baf5118934d3675ccf50eac1e4e873000ecd75b5917c78ee30ef26'],
    [
      encode([15, encode([1, NAME], [2, 'ENUM'], [3, bool(true)])]),
      'bceee77c48d80db35f237c3877c6711db19a8c135d2d0323c21f01afc2eb7612',
    ],
    [
      encode([11, encode([1, text('five')], [1, int64(5)], [1, bool(true)])]),
      '6049408351d7be2c9d6ae7a1beecf08676fa72955c376c89571a1c5f04f272bd',
    ],
    [
      encode([12, encode(entry('bar', text('1284')), entry('foo', encode([6, '31380.0'])))]),
      'b318100aac8cde766598a0a5bc05451feaec7c90400f75de93100d0c87ec24cf',
    ],
    [
      encode([13, encode(entry(int64(5), text('five')), entry(int64(10), text('ten')))]),
      '523c5247ed42efa40dd6b0165a01c1b14dcede7b39a1f33a3590fc7defc4a610',
    ],
    [encode([10, '']), 'a2c4aed1cf757cd9a509734a267ffc7b1166b55f4c8f9c3e3550c56e743328fc'],
    [
      encode([10, encode([1, text('hello')])]),
      'dfba7295cf094b6b3ffdf3e44411793264882b38c810f9dff63148890a466171',
    ],
    [
      encode([5, new Fixed(1_729_788_226_000_000n)]),
      '18efa9ad9adfa83fc3e84cdbe9c4b9f0e7305376e858e5bd909117209111c9d5',
    ],
    [encode([4, 20_020]), '6892b74f329df4e0fd850c0e4d35384d3a4aef0a2f0f32070172c1f121ff632f'],
    [
      encode([
        14,
        encode([1, NAME], member('field1', bool(true)), member('field2', text('hello'))),
      ]),
      'ae594f7684700c299af9bc0b83758f2d71836ae6d9ea628d310f0305698df6f2',
    ],
  ]
  for (const [value, expected] of vectors) {
    const hash = createHash('sha256').update(valueBytes(new WireMessage(value)))
    assert.equal(hash.digest('hex'), expected)
  }
})

const subject = (contract: string) =>
  [
    [1, LF],
    [2, contract],
    [3, 'package-name-0'],
    [4, NAME],
  ] as const
const create = (contract: string) =>
  encode(
    ...subject(contract),
    [5, text('hello')],
    ...texts(6, 'alice', 'bob'),
    ...texts(7, 'alice', 'charlie'),
  )
const fetched = (contract: string) =>
  encode(
    ...subject(contract),
    ...texts(5, 'alice'),
    ...texts(6, 'charlie'),
    ...texts(7, 'alice', 'bob'),
  )
const exercise = encode(
  ...subject(CONTRACT),
  ...texts(5, 'alice'),
  ...texts(6, 'charlie'),
  ...texts(7, 'alice', 'bob'),
  [8, id('interface_module', 'interface_name')],
  [9, 'choice'],
  [10, int64(31_380)],
  [11, 1],
  ...texts(12, '0', '2'),
  [13, text('result')],
  ...texts(14, 'david'),
)
const kinds = { create: 1, fetch: 2, exercise: 3, rollback: 4 } as const
const node = (at: number, kind: keyof typeof kinds, body: Buffer) =>
  [3, encode([1, String(at)], [1_000, encode([kinds[kind], body])])] as const
const seed = (at: number, hex: string) =>
  [4, encode([1, at], [2, Buffer.from(hex, 'hex')])] as const
const TRANSACTION = encode(
  [1, LF],
  ...texts(2, '0', '5'),
  node(0, 'create', create(CONTRACT)),
  node(1, 'create', create(OTHER)),
  node(2, 'fetch', fetched(CONTRACT)),
  node(3, 'fetch', fetched(OTHER)),
  node(4, 'exercise', exercise),
  node(5, 'rollback', encode(...texts(1, '2', '4'))),
  seed(0, '926bbb6f341bc0092ae65d06c6e284024907148cc29543ef6bff0930f5d52c19'),
  seed(1, 'e0c69eae8afb38872fa425c2cdba794176f3b9d97e8eefb7b0e7c831f566458f'),
  seed(2, '4d2a522e9ee44e31b9bef2e3c8a07d43475db87463c6a13c4ea92f898ac8a930'),
  seed(3, 'b4f0534e651ac8d5e10d95ddfcafdb123550a5e3185e3fe61ec1746a7222a88e'),
  seed(4, 'a867edafa1277f46f879ab92c373a15c2d75c5d86fec741705cee1eb01ef8c9e'),
  seed(5, '5483d5df9b245e662c0e4368b8062e8a0fd24c17ce4ded1a0e452e4ee879dd81'),
)

const DAY = 86_400_000_000
const input = (contract: string, party: string, days: number) => {
  const held = encode(
    [1, LF],
    [2, contract],
    [3, 'PkgName'],
    [4, id('DummyModule', 'dummyName', '-dummyPkg-')],
    [5, encode([9, HELD])],
    [6, party],
    [7, party],
  )
  return [7, encode([1, held], [1_000, days * DAY], [1_002, Buffer.of(0, 0x10)])] as const
}
const METADATA = encode(
  [2, encode(...texts(1, 'alice', 'bob'), [2, 'command-id'])],
  [3, 'synchronizer::id'],
  [5, '4c6471d3-4e09-49dd-addf-6cd90e19c583'],
  [6, 0],
  input(CONTRACT, 'alice', 10),
  input(OTHER, 'bob', 20),
  [9, 0xaaaa],
  [10, 0xbbbb],
  [11, 30 * DAY],
)

test('nodes of every kind hash as the public vectors say', () => {
  const hashes = ['0', '2', '4', '5'].map((each) => nodeHash(TRANSACTION, each).toString('hex'))
  assert.deepEqual(hashes, [
    '6d2cfe58c2294000592034f4bdfe397fe246901bb8b63e3b9e041bb478e174b7',
    'c962c6098394f3d11cd6f0c795de9517d32a8e3e1979cec76cd2f66254efc610',
    '070970eb4b2de72561dafb67017ca33850650a8103e5134e16044ba78991f48c',
    '7264d5da2fd714427453bedc0d1cdb21f52ac7aec8d4bb5ac0598d25c5fcaed9',
  ])
})

test('transaction, metadata and the whole hash as the public vectors say', () => {
  const { transaction, metadata, prepared } = publicHashes(encode([1, TRANSACTION], [2, METADATA]))
  assert.deepEqual(
    [transaction, metadata, prepared].map((hash) => hash.toString('hex')),
    [
      '154f334d24a8a5e4d0ce51ac87d93821b3256f885f21d3f779a1640abf481983',
      '6e89fcbcc9605179a47919b5e65a864e470e7a133f4f9f39b1e4545b223db769',
      '8c311c848db25d36b36fbd59f9483714a11688c2214e3c7cae3e028763520250',
    ],
  )
})
