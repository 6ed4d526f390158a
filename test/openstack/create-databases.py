"""Creates empty databases. usage: create-databases.py SOCKET NAME ..."""

import sys

import pymysql

socket, *names = sys.argv[1:]
with pymysql.connect(unix_socket=socket, user="root") as connection, connection.cursor() as cursor:
    for name in names:
        cursor.execute(f"CREATE DATABASE {name} CHARACTER SET utf8mb3")
