// discord-tictactoe as its README starts it. Before it is loaded, discord.js is told
// where to find the API: the package has no setting for that.
'use strict';

require('@discordjs/rest').DefaultRestOptions.api = process.env.DISCORD_API_URL.replace(/\/v10$/, '');

const TicTacToe = require('discord-tictactoe');

new TicTacToe({ token: process.env.DISCORD_TOKEN, language: 'en', command: 'tictactoe', commandOptionName: 'opponent' })
  .login()
  .catch((err) => { console.error(err); process.exit(1); });
