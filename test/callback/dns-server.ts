import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Answer, decode, encode } from 'dns-packet';

/** The answers to the question for this name, the n-th time (from 0) that this type is asked for. Null: says nothing at all. */
export type Zone = (name: string, type: string, nth: number) => readonly Answer[] | null;

export interface DnsServer extends AsyncDisposable {
  /** As a client takes it. */
  readonly address: string;
  /** `A name` for each question that came. */
  readonly questions: readonly string[];
}

/** A name server over UDP on this machine. Where the zone has nothing to say, there is no such record. */
export async function listenDns(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions: asked = [] } = decode(message);
    const answers = asked.map(({ name, type }) => {
      const question = `${type} ${name}`;
      const nth = questions.filter((one) => one === question).length;
      questions.push(question);
      return zone(name, type, nth);
    });
    if (answers.includes(null)) return;
    const said = answers.flatMap((one) => one ?? []);
    socket.send(encode({ type: 'response', id, questions: asked, answers: said }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}
