import { operationClasses, roles } from '../../domain/caller.ts';
import { capabilityTypes, deliveryModes } from '../../domain/capability/capability.ts';
import { categoryCodes } from '../../domain/category/category.ts';
import {
  pricingModels,
  transactionOrigins,
  transactionStatuses,
  transactionTypes,
} from '../../domain/transaction/transaction.ts';

/** The closed lists of the domain that readers of the description know by a name. */
const lists: Readonly<Record<string, readonly string[]>> = {
  CapabilityType: capabilityTypes,
  CategoryCode: categoryCodes,
  DeliveryMode: deliveryModes,
  OperationClass: operationClasses,
  PricingModel: pricingModels,
  Role: roles,
  TransactionOrigin: transactionOrigins,
  TransactionStatus: transactionStatuses,
  TransactionType: transactionTypes,
};

const nameByValues = new Map(Object.entries(lists).map(([name, values]) => [values.join('\n'), name]));

/** The lists as components. */
export const enumComponents: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(lists).map(([name, values]) => [name, { type: 'string', enum: values }]),
);

/** A schema that allows exactly what a named list has refers to it; what it says beside that, it keeps. */
export function nameEnums<T>(described: T): T {
  return JSON.parse(JSON.stringify(described), (_key, value: unknown) => {
    if (!isEnum(value)) return value;
    const name = nameByValues.get(value.enum.join('\n'));
    if (name === undefined) return value;
    const { type: _type, enum: _enum, ...rest } = value;
    return { $ref: `#/components/schemas/${name}`, ...rest };
  }) as T;
}

function isEnum(value: unknown): value is { readonly type: 'string'; readonly enum: readonly string[] } {
  if (value === null || typeof value !== 'object' || !('type' in value) || !('enum' in value)) return false;
  return value.type === 'string' && Array.isArray(value.enum);
}
