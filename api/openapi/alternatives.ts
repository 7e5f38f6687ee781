// Objects of which exactly one of several members is given, in the OpenAPI document.

interface ObjectSchema {
  type?: unknown;
  properties?: Record<string, unknown> | undefined;
  required?: string[] | undefined;
  additionalProperties?: unknown;
  anyOf?: unknown;
}

/**
 * Shows an object as one object for each member, without the other members. It is an override of
 * `meta`: whoever validates says more about a wrong object than a union could.
 * @param titles of the objects, which become types of clients, by their members
 */
export function oneMemberOf(titles: Readonly<Record<string, string>>) {
  const members = Object.keys(titles);
  return ({ jsonSchema }: { readonly jsonSchema: object }): void => {
    const whole: ObjectSchema = jsonSchema;
    const { type, properties = {}, required = [], additionalProperties } = whole;
    whole.anyOf = members.map((member) => ({
      title: titles[member],
      type,
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => name === member || !members.includes(name)),
      ),
      required: [...required, member],
      additionalProperties,
    }));
    for (const key of ['type', 'properties', 'required', 'additionalProperties'] as const)
      delete whole[key];
  };
}
