<?php
// One hand with PHP's own streams. Two players give hashes first, so that nobody chooses a seed
// after seeing another one.
// Usage: FAIRDEAL_URL=http://… FAIRDEAL_TOKEN=… FAIRDEAL_KEY=… php game.php RECEIPT
declare(strict_types=1);

$game = bin2hex(random_bytes(8));
// The log's verifier key. Players know it from elsewhere, not from the service, which could
// tell each of them another one. It is NAME+ID+BASE64, with the key itself after a byte 0x01.
[$origin, , $log_key] = explode('+', getenv('FAIRDEAL_KEY'), 3);

// One step of the game. Its idempotency key makes a retry safe: nothing is done twice.
function post(string $step, string $path, array $body): array
{
    global $game;
    $answer = file_get_contents(getenv('FAIRDEAL_URL') . $path, context: stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: Bearer ' . getenv('FAIRDEAL_TOKEN'),
            'Content-Type: application/json',
            "Idempotency-Key: $game $step",
        ],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 60,
        'ignore_errors' => true,
    ]]));
    if ($answer === false) {
        exit("$step: no answer\n");
    }
    $said = json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
    if (isset($said['detail'])) {
        fwrite(STDERR, "$step: {$said['status']}: {$said['detail']}\n");
        exit(1);
    }
    return $said;
}

// The hash of a contribution (spec/ledger.md, section 8.3). Numbers are big-endian: J has 8 bytes,
// n has 2.
function hash_of(string $commitment, int $nonce, array $player): string
{
    global $origin, $log_key;
    $text = fn (string $value) => pack('n', strlen($value)) . $value;
    $log = $text($origin) . substr(base64_decode($log_key), 1);
    return hash('sha256', "fairdeal/v1/contribution\0" . $log . hex2bin($commitment)
        . pack('J', $nonce) . $text($player['from']) . hex2bin($player['blind'])
        . "\1" . $text($player['seed']));
}

// The dealer promises a secret seed. After that, only the players' seeds are undecided.
$commitment = post('commit', '/v1/commitments', ['table' => 'http/php', 'mixing' => 'hashes', 'draw' => 5])['commitment'];
$at = "/v1/commitments/$commitment";

// Each player makes a seed and a blind, and gives only the hash of both.
$random = fn () => bin2hex(random_bytes(32));
$players = array_map(fn ($from) => ['from' => $from, 'seed' => $random(), 'blind' => $random()], ['alice', 'bob']);
$hashes = array_map(fn ($one) => ['from' => $one['from'], 'hash' => hash_of($commitment, 0, $one)], $players);
post('lock', "$at/locks", ['nonce' => 0, 'contributions' => $hashes]);

// The lock is in the log. Now the players open their hashes, and the cards follow.
echo post('deal', "$at/deals", ['nonce' => 0, 'contributions' => $players])['cards'], "\n";

// After the game the seed becomes public: anyone can deal the hand again from the receipt.
post('reveal', "$at/reveal", ['nonce' => 1, 'next' => false]);
copy(getenv('FAIRDEAL_URL') . "$at/rounds/0/receipt", $argv[1]) || exit(1);
