/// The PostgreSQL types of parameters and columns; the raw value is the type's OID in `pg_type`.
///
/// The OIDs of built-in types are fixed (`catalog/pg_type.dat` in PostgreSQL's sources).
package enum PostgresType: UInt32, Sendable {
    case bool = 16
    case bytes = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case json = 114
    case float4 = 700
    case float8 = 701
    case int2Array = 1005
    case int4Array = 1007
    case textArray = 1009
    case int8Array = 1016
    case varchar = 1043
    case date = 1082
    case timestamp = 1184
    case timestampArray = 1185
    case uuid = 2950
    case uuidArray = 2951
    case jsonb = 3802

    /// Type of an array's elements; nil for a type that is no array.
    package var element: PostgresType? {
        switch self {
        case .int2Array: .int2
        case .int4Array: .int4
        case .textArray: .text
        case .int8Array: .int8
        case .timestampArray: .timestamp
        case .uuidArray: .uuid
        default: nil
        }
    }
}
