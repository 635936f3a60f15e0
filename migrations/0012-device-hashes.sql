-- A device id is a password: kept as its SHA-256, as session tokens are.
update devices set device_id = encode(sha256(convert_to(device_id, 'UTF8')), 'hex');
