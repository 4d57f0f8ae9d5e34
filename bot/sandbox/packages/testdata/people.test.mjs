import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { start } from 'guildbox';

const discord = await start({ bot: ['node', 'bot.cjs'], cwd: import.meta.dirname, env: { LOG_FORMAT: 'json' } });
after(() => discord.stop());

test('people do what they can', () => discord.world(async (world) => {
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob', { nick: 'Bobby' })];
  await ada.command('form');
  assert.equal((await ada.modal({ name: 'Ada', text: 'two\nlines' })).text, 'Ada: two\nlines');
  await ada.command('choose');
  assert.equal((await ada.select('string', ['2', '1'])).text, 'Chose 2, 1.');
  assert.equal((await ada.select('user', ['Bob'])).text, 'Chose Bobby.');
  await ada.command('card');
  assert.equal((await ada.click({ row: 0, column: 0 })).text, 'Other side');
  const { message } = await ada.command('hello');
  await ada.command('hello'); // which is newer
  assert.equal((await bob.click({ custom_id: 'update' }, message)).message.id, message.id);
  bob.channel = (await world.channel('games')).name;
  assert.equal((await bob.command('options', { who: 'Bob', number: 3 })).text, 'number=3 who=Bobby');
  bob.channel = '@dm';
  await bob.say('!ping');
  assert.deepEqual((await world.messages('@dm', 'Bob')).map((m) => m.content), ['!ping', 'pong']);
  await assert.rejects(ada.command('nothing'), /nothing/);
  await ada.command('check', { what: 'unserved' });
  assert.match(await world.transcript(), /#games @the bot: number=3 who=Bobby[^]*"not offered here"/);
}));
