import { describe, expect, test } from 'vitest';
import { isSpecialAddress, refusedAddress } from '../../domain/capability/callback-address.ts';
import { checkTerms } from '../../domain/capability/capability.ts';
import { MarketplaceError } from '../../domain/errors.ts';
import { pricingModels } from '../../domain/transaction/transaction.ts';

const address = 'https://seller.example/callback';

function refusal(work: () => void): MarketplaceError | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof MarketplaceError) return error;
    throw error;
  }
}

describe('terms of a capability', () => {
  test.each(['per_query', 'per_use'] as const)('%s needs a callback_url', (pricing_model) => {
    const error = refusal(() => checkTerms({ pricing_model, callback_url: null }, false));
    expect(error?.errorName).toBe('validation_failed');
    expect(error?.data).toMatchObject({ errors: [{ path: 'callback_url' }] });
    expect(refusal(() => checkTerms({ pricing_model, callback_url: address }, false))).toBeNull();
  });

  test.each(pricingModels.filter((model) => model !== 'per_query' && model !== 'per_use'))(
    '%s needs none, and takes one',
    (pricing_model) => {
      expect(refusal(() => checkTerms({ pricing_model, callback_url: null }, false))).toBeNull();
      expect(refusal(() => checkTerms({ pricing_model, callback_url: address }, false))).toBeNull();
    },
  );
});

describe('callback addresses', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.0.0.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:0a00:0001]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://localhost:3000/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://app.localhost/',
    'http://①②⑦.0.0.1/',
    'http://printer.local/',
    'http://metadata.google.internal/',
  ])('%s is refused, and allowed by the setting', (text) => {
    expect(refusedAddress(text, false)).toBe('must be a public address');
    expect(refusedAddress(text, true)).toBeNull();
  });

  test.each([
    address,
    'http://8.8.8.8:8080/x',
    'https://[2606:4700::1111]/',
    'https://172.32.0.1/',
    'https://100.63.0.1/',
  ])('%s is allowed', (text) => {
    expect(refusedAddress(text, false)).toBeNull();
  });

  test.each([
    'ftp://seller.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'seller.example',
    '//seller.example',
    '',
  ])('%j is no http address, whatever the setting', (text) => {
    expect(refusedAddress(text, true)).toBe('must be an http or https address');
  });

  test.each(['https://user@seller.example/', 'https://user:secret@seller.example/', 'https://:secret@seller.example/'])(
    '%s carries credentials, and is refused whatever the setting',
    (text) => {
      expect(refusedAddress(text, true)).toBe('must not carry credentials');
    },
  );

  test('a name is no address', () => {
    expect(isSpecialAddress('seller.example')).toBe(false);
  });
});
