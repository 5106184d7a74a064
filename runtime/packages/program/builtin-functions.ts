// The functions that are part of the language: number in an archive, name, type. Types say what
// they are of before the dot: numbers are n, m and k. Functions of versions in the making are not
// there, and an archive that uses one is refused.

const table = [
  [0, 'TRACE', 'a. Text -> a -> a'],
  [1, 'ERROR', 'a. Text -> a'],
  [2, 'EQUAL', 'a. a -> a -> Bool'],
  [3, 'LESS_EQ', 'a. a -> a -> Bool'],
  [4, 'LESS', 'a. a -> a -> Bool'],
  [5, 'GREATER_EQ', 'a. a -> a -> Bool'],
  [6, 'GREATER', 'a. a -> a -> Bool'],
  [7, 'ADD_INT64', 'Int64 -> Int64 -> Int64'],
  [8, 'SUB_INT64', 'Int64 -> Int64 -> Int64'],
  [9, 'MUL_INT64', 'Int64 -> Int64 -> Int64'],
  [10, 'DIV_INT64', 'Int64 -> Int64 -> Int64'],
  [11, 'MOD_INT64', 'Int64 -> Int64 -> Int64'],
  [12, 'EXP_INT64', 'Int64 -> Int64 -> Int64'],
  [13, 'ADD_NUMERIC', 'n. Numeric n -> Numeric n -> Numeric n'],
  [14, 'SUB_NUMERIC', 'n. Numeric n -> Numeric n -> Numeric n'],
  [15, 'MUL_NUMERIC', 'n m k. Numeric k -> Numeric n -> Numeric m -> Numeric k'],
  [16, 'DIV_NUMERIC', 'n m k. Numeric k -> Numeric n -> Numeric m -> Numeric k'],
  [17, 'ROUND_NUMERIC', 'n. Int64 -> Numeric n -> Numeric n'],
  [18, 'CAST_NUMERIC', 'n m. Numeric m -> Numeric n -> Numeric m'],
  [19, 'SHIFT_NUMERIC', 'n m. Numeric m -> Numeric n -> Numeric m'],
  [20, 'INT64_TO_NUMERIC', 'n. Numeric n -> Int64 -> Numeric n'],
  [21, 'NUMERIC_TO_INT64', 'n. Numeric n -> Int64'],
  [22, 'INT64_TO_TEXT', 'Int64 -> Text'],
  [23, 'NUMERIC_TO_TEXT', 'n. Numeric n -> Text'],
  [25, 'TIMESTAMP_TO_TEXT', 'Timestamp -> Text'],
  [26, 'DATE_TO_TEXT', 'Date -> Text'],
  [27, 'PARTY_TO_TEXT', 'Party -> Text'],
  [28, 'TEXT_TO_PARTY', 'Text -> Optional Party'],
  [29, 'TEXT_TO_INT64', 'Text -> Optional Int64'],
  [30, 'TEXT_TO_NUMERIC', 'n. Numeric n -> Text -> Optional (Numeric n)'],
  [31, 'CONTRACT_ID_TO_TEXT', 'a. ContractId a -> Optional Text'],
  [32, 'SHA256_TEXT', 'Text -> Text'],
  [33, 'EXPLODE_TEXT', 'Text -> List Text'],
  [34, 'APPEND_TEXT', 'Text -> Text -> Text'],
  [35, 'IMPLODE_TEXT', 'List Text -> Text'],
  [36, 'CODE_POINTS_TO_TEXT', 'List Int64 -> Text'],
  [37, 'TEXT_TO_CODE_POINTS', 'Text -> List Int64'],
  [38, 'DATE_TO_UNIX_DAYS', 'Date -> Int64'],
  [39, 'UNIX_DAYS_TO_DATE', 'Int64 -> Date'],
  [40, 'TIMESTAMP_TO_UNIX_MICROSECONDS', 'Timestamp -> Int64'],
  [41, 'UNIX_MICROSECONDS_TO_TIMESTAMP', 'Int64 -> Timestamp'],
  [42, 'COERCE_CONTRACT_ID', 'a b. ContractId a -> ContractId b'],
  [43, 'FOLDL', 'a b. (b -> a -> b) -> b -> List a -> b'],
  [44, 'FOLDR', 'a b. (a -> b -> b) -> b -> List a -> b'],
  [45, 'EQUAL_LIST', 'a. (a -> a -> Bool) -> List a -> List a -> Bool'],
  [52, 'GENMAP_EMPTY', 'a b. GenMap a b'],
  [53, 'GENMAP_INSERT', 'a b. a -> b -> GenMap a b -> GenMap a b'],
  [54, 'GENMAP_LOOKUP', 'a b. a -> GenMap a b -> Optional b'],
  [55, 'GENMAP_DELETE', 'a b. a -> GenMap a b -> GenMap a b'],
  [56, 'GENMAP_KEYS', 'a b. GenMap a b -> List a'],
  [57, 'GENMAP_VALUES', 'a b. GenMap a b -> List b'],
  [58, 'GENMAP_SIZE', 'a b. GenMap a b -> Int64'],
  [59, 'ANY_EXCEPTION_MESSAGE', 'AnyException -> Text'],
  [60, 'TEXTMAP_EMPTY', 'a. TextMap a'],
  [61, 'TEXTMAP_INSERT', 'a. Text -> a -> TextMap a -> TextMap a'],
  [62, 'TEXTMAP_LOOKUP', 'a. Text -> TextMap a -> Optional a'],
  [63, 'TEXTMAP_DELETE', 'a. Text -> TextMap a -> TextMap a'],
  [64, 'TEXTMAP_TO_LIST', 'a. TextMap a -> List {key: Text, value: a}'],
  [65, 'TEXTMAP_SIZE', 'a. TextMap a -> Int64'],
  [66, 'FAIL_WITH_STATUS', 'a. Text -> FailureCategory -> Text -> TextMap Text -> a'],
  [67, 'KECCAK256_TEXT', 'Text -> Text'],
  [68, 'SECP256K1_BOOL', 'Text -> Text -> Text -> Bool'],
  [69, 'HEX_TO_TEXT', 'Text -> Text'],
  [70, 'TEXT_TO_HEX', 'Text -> Text'],
  [71, 'SHA256_HEX', 'Text -> Text'],
  [72, 'SECP256K1_WITH_ECDSA_BOOL', 'Text -> Text -> Text -> Bool'],
  [73, 'SECP256K1_VALIDATE_KEY', 'Text -> Bool'],
] as const

export type BuiltinFunction = (typeof table)[number][1]

/** Language versions of the functions that not every version has. */
export const functionVersions: ReadonlyMap<BuiltinFunction, string> = new Map([
  ['SECP256K1_VALIDATE_KEY', '2.3'],
])

/** Functions by number. */
export const builtinFunctions: ReadonlyMap<number, BuiltinFunction> = new Map(
  table.map(([number, name]) => [number, name]),
)

/** Texts of the functions' types. */
export const builtinFunctionTypes: ReadonlyMap<BuiltinFunction, string> = new Map(
  table.map(([, name, type]) => [name, type]),
)
