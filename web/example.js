// The home page's example: a round of two players, and the key of its log (fixtures/receipts).

const receipt = `{
  "format": "fairdeal/receipt/v1",
  "entries": [
    {
      "index": 0,
      "entry": "{\\"commitment\\":\\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\\",\\"deck\\":\\"standard-52\\",\\"draw\\":52,\\"entry\\":\\"commit\\",\\"method\\":\\"shuffle\\",\\"mixing\\":\\"seeds\\",\\"origin\\":\\"cards.example/log\\",\\"protocol\\":\\"fairdeal/v1\\",\\"reveal_by\\":1760086401000,\\"rounds\\":1000,\\"sealed\\":false,\\"table\\":\\"table 1\\",\\"time\\":1760000001000}",
      "proof": [
        "jJZE1hEMd8eH5R6iAmPTvEzPo08stUG4HPbEkdRRX0A=",
        "8vkTAjgBmfKLVRBhrY66a5E50sydZygjiUxjaotxG+Q="
      ]
    },
    {
      "index": 1,
      "entry": "{\\"commitment\\":\\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\\",\\"contributions\\":[{\\"from\\":\\"alice\\",\\"seed\\":\\"lucky\\"},{\\"from\\":\\"bob\\",\\"seed\\":\\"seven\\"}],\\"entry\\":\\"deal\\",\\"nonce\\":0,\\"result\\":{\\"cards\\":\\"3c5dAc3s2d9h7h5h9c4c8cAsKcQd7c4dTh6sKs5s8d3d6d2c4sTd8hTsQs2hAd3h9d4h5cQh6hJd6c2s9sKdJcTc7sJsQcJhAh7dKh8s\\"},\\"time\\":1760000002000}",
      "proof": [
        "XPEO0Alb23azQ8J4tSRhBKo7+Huij3u7Cb9BeYoki58=",
        "8vkTAjgBmfKLVRBhrY66a5E50sydZygjiUxjaotxG+Q="
      ]
    },
    {
      "index": 2,
      "entry": "{\\"commitment\\":\\"630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd\\",\\"entry\\":\\"reveal\\",\\"server_seed\\":\\"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\\",\\"time\\":1760000003000}",
      "proof": [
        "hHoQSBvsNfk2lw+FoX8nk4MhgKGggDPxgGM789SIMHk="
      ]
    }
  ],
  "checkpoint": "cards.example/log\\n3\\nSdWjSHvYey6blBtIwMwG28qjnLfQ6vUgVVA06gY18bM=\\n\\n— cards.example/log tcl2MzmpvmXi/RmtEKGSM4/8gdWzx31aWqj45cNrjJyn8c9Sfxogv/OKsTQnAo3u1HJu0wLHumqnaWkDKFjFFTcbTgM=\\n"
}
`;

export const example = {
  receipt,
  key: "cards.example/log+b5c97633+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs\n",
};
