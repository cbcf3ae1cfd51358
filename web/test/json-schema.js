// Checks a value against a JSON Schema, as far as the schemas in spec/schema go. An unknown keyword
// is an error: a schema must not have a rule that nobody checks.

const KNOWN = new Set([
  "$schema",
  "$id",
  "$ref",
  "$defs",
  "title",
  "description",
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "oneOf",
]);

const TYPES = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
  number: (value) => typeof value === "number" && Number.isFinite(value),
};

/**
 * The faults of a value; none if it is valid.
 * @param {unknown} value
 * @param {any} schema
 * @param {any} root the whole schema, where `$ref` looks
 * @param {string} at where the value is
 * @returns {string[]}
 */
export function faults(value, schema, root = schema, at = "") {
  const unknown = Object.keys(schema).find((keyword) => !KNOWN.has(keyword));
  if (unknown !== undefined) throw new Error(`${at}: the keyword ${unknown} is not known`);
  const found = [];
  const deeper = (inner, sub, where) => found.push(...faults(inner, sub, root, where));
  if (schema.$ref !== undefined) deeper(value, root.$defs[schema.$ref.split("/").pop()], at);
  if (schema.type !== undefined && !TYPES[schema.type](value))
    found.push(`${at}: no ${schema.type}`);
  if (schema.const !== undefined && value !== schema.const)
    found.push(`${at}: not ${schema.const}`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    found.push(`${at}: ${value} is none of ${schema.enum}`);
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, "u").test(value))
    found.push(`${at}: ${value} has another form`);
  if (value < schema.minimum || value > schema.maximum)
    found.push(`${at}: ${value} is out of range`);
  if (value?.length < schema.minItems || value?.length > schema.maxItems)
    found.push(`${at}: has ${value.length} items`);
  if (schema.oneOf !== undefined) {
    const tried = schema.oneOf.map((one) => faults(value, one, root, at));
    if (tried.filter((one) => one.length === 0).length !== 1)
      found.push(`${at}: is not exactly one of the forms: ${tried.flat().join("; ")}`);
  }
  if (TYPES.object(value)) {
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name)) found.push(`${at}/${name} is missing`);
    for (const [name, inner] of Object.entries(value)) {
      const sub = schema.properties?.[name];
      if (inner === undefined) found.push(`${at}/${name} is undefined`);
      else if (sub !== undefined) deeper(inner, sub, `${at}/${name}`);
      else if (schema.additionalProperties === false)
        found.push(`${at}/${name} is one member too many`);
    }
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    value.forEach((inner, place) => deeper(inner, schema.items, `${at}/${place}`));
  }
  return found;
}
