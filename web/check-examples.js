// A published round of each scheme: rows of fixtures/dialects.

/** @type {Record<string, Record<string, string>>} */
export const examples = {
  bustabit: {
    server_seed: "8d3b9726ca7bc5e3637bf2079e09eaf2a9d67df4e6f50ff23a7b593bd802cca6",
    commitment: "567a98370fb7545137ddb53687723cf0b8a1f5e93b1f76f4a1da29416930fa59",
    client_seed: "00000000000000000001e08b7fd44f95e3e950ac65650a8031a6d5e1750e34be",
    result: "1.83",
    game_id: "12306894",
  },
  "duel-crash": {
    server_seed: "3c9c71aa9ffa2691d29fd754cb0caf8ce1fa87d57804196967de81088fab1d23",
    commitment: "706bb90b571c6165c96a484580efd2f834b4f3237e7cf0f2680b26b7f4e151c0",
    client_seed:
      "b18fa6dc92304844fc4e868d708953e6b628b3f88d4381249d32264df1bfe5bc20aa0905e57fe54063010881767fd56d",
    nonce: "0",
    result: "2.81",
  },
  "duel-video-poker": {
    server_seed: "2424d436197860c90bad4022573f14eab6c9da3dcc2d50e57ad7d52357f0fdc9",
    commitment: "107cca7f92491e65e438a779d79dd253a16ccfef10d5ce5d31d2bcbb3ff22f7b",
    client_seed: "cpc4ihmPtvpHpapv",
    nonce: "33",
    cards: "4S QS 3D 6S QH",
    held: "4S 3D 6S",
    final: "4S 5C 3D 6S 8C",
  },
  "liqd-blackjack": {
    server_seed: "6dca5e36b6b9dc56730e282ab3c2bae6",
    commitment: "948eff896b5521c1064402dcd5557342210e03e0c4e864d0b83418bfb5e12f42",
    client_seed: "audita6d2fe11bb1f",
    nonce: "0",
    cards: "7H 10C 9H JH 5H",
  },
  "stake-crash": {
    server_seed: "9dd9a4ce539a7d11a36a96c71f3d939c46d972b2e56254bc85ea2c0681541dca",
    client_seed: "23eb7069c6fc5b1369b92f5321af9f63",
    result: "7.74",
  },
  "stake-replace": {
    server_seed: "28ca8b5734401f5236ccb305e4526d07",
    client_seed: "b42fa130a68dfe8133fa268d5fb34cbe",
    nonce: "0",
    cards: "4H QH 4C 2C QS 5H 9H 10H 2C 2D 8C 3C 8C KC JS 6D 8H KC 4D AS 6C KH AH QH",
  },
  "stake-video-poker": {
    server_seed: "51b5258b38fef00c9887b7ad6c728035",
    client_seed: "6ec29c0c4180fd3f802534e6c98810ff",
    nonce: "0",
    cards: "5S AS JS QS JH 8D 5H JD KS 8H",
  },
  "fairdeal/v1": {
    server_seed: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
    commitment: "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd",
    client_seed: "alice=lucky",
    nonce: "1",
    cards: "4hThQh3d5c",
  },
};
