import { z } from 'zod';
import { readWallet } from '../wallet/wallet.operations.ts';
import { wallet } from '../wallet/wallet.schemas.ts';
import { reads, tool } from './tool.ts';

export const getWallet = tool({
  name: 'get_wallet',
  title: 'Read the wallet',
  description: 'Read how many UT you have free to spend and how many are held for purchases. Look here before you buy.',
  annotations: reads,
  access: 'caller',
  input: z.strictObject({}),
  output: wallet,
  operationOf: () => 'read',
  run: async (call) => await call.read((ctx) => readWallet(ctx, ctx.caller.userId)),
});
