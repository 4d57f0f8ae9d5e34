import assert from 'node:assert/strict';
import { after, test } from 'node:test'; // or of vitest, which calls the first one afterAll
import { start } from 'guildbox';

const discord = await start({ bot: ['node', 'bot.cjs'] });
after(() => discord.stop());

test('greets again', () => discord.world(async (world) => {
  const [ada, ben] = [await world.person('Ada'), await world.person('Ben', { locale: 'de' })];
  assert.equal((await ada.command('hello')).text, `Hello ${ada.mention}!`);
  assert.equal((await ben.click('Again')).text, `Hello again, ${ben.mention}!`);
  await assert.rejects(ben.click('Accept'), /Again/); // which is what there is
}));
